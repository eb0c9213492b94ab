package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

type mutant struct {
	file     string
	text     []byte // the original text of the file
	from, to int    // the bytes that are replaced
	by       string
	what     string // a description
	at       token.Position
}

func (m *mutant) source() []byte {
	return slices.Concat(m.text[:m.from], []byte(m.by), m.text[m.to:])
}

// line returns the source line on which the change begins.
func (m mutant) line() string {
	return strings.TrimSpace(strings.Split(string(m.text), "\n")[m.at.Line-1])
}

// key identifies the change as long as its line is not edited.
func (m mutant) key() string {
	return filepath.ToSlash(m.file) + ": " + m.what + ": " + m.line()
}

// rank orders the changes pseudorandomly. Each rank depends only on the change's own text, so edits elsewhere do not
// affect the order.
func (m mutant) rank(seed int64) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", seed, m.key())
	return h.Sum64()
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s", filepath.ToSlash(m.file), m.at.Line, m.at.Column, m.what, m.line())
}

func (m mutant) compare(o mutant) int {
	return cmp.Or(cmp.Compare(m.file, o.file), cmp.Compare(m.from, o.from), cmp.Compare(m.what, o.what))
}

var swapped = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND,
}

// mutantsOf returns all mutants of the package in a directory, ordered by file and position.
func mutantsOf(dir string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var list []mutant
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		v := visitor{set: set, name: name, text: text}
		ast.Inspect(tree, v.visit)
		slices.SortStableFunc(v.list, mutant.compare)
		list = append(list, v.list...)
	}
	return list, nil
}

type visitor struct {
	set  *token.FileSet
	name string
	text []byte
	list []mutant
}

func (v *visitor) offset(p token.Pos) int { return v.set.Position(p).Offset }

func (v *visitor) add(from, to token.Pos, by, what string) {
	v.list = append(v.list, mutant{v.name, v.text, v.offset(from), v.offset(to), by, what, v.set.Position(from)})
}

func (v *visitor) short(n ast.Node) string {
	text := strings.Join(strings.Fields(string(v.text[v.offset(n.Pos()):v.offset(n.End())])), " ")
	if r := []rune(text); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return text
}

func (v *visitor) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.BinaryExpr:
		if by, ok := swapped[n.Op]; ok {
			v.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), by.String(), n.Op.String()+" becomes "+by.String())
		}
		if n.Op == token.EQL || n.Op == token.NEQ {
			v.word(n.X)
			v.word(n.Y)
		}
	case *ast.CaseClause:
		for _, x := range n.List {
			v.word(x)
		}
		v.statements(n.Body)
	case *ast.IfStmt:
		v.add(n.Cond.Pos(), n.Cond.End(), "!("+string(v.text[v.offset(n.Cond.Pos()):v.offset(n.Cond.End())])+")",
			"the condition is negated")
	case *ast.BlockStmt:
		v.statements(n.List)
	case *ast.BasicLit:
		if i, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
			v.add(n.Pos(), n.End(), strconv.Itoa(i+1), n.Value+" becomes "+strconv.Itoa(i+1))
		}
	case *ast.CompositeLit:
		v.rows(n)
	}
	return true
}

func (v *visitor) word(x ast.Expr) {
	if lit, ok := x.(*ast.BasicLit); ok && lit.Kind == token.STRING && len(lit.Value) > 2 {
		quote := lit.Value[len(lit.Value)-1:]
		v.add(lit.Pos(), lit.End(), lit.Value[:len(lit.Value)-1]+"~"+quote, lit.Value+" becomes another word")
	}
}

// statements drops each statement that other statements do not need.
func (v *visitor) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.ReturnStmt, *ast.BranchStmt:
		default:
			continue
		}
		v.add(s.Pos(), s.End(), "", "dropped: "+v.short(s))
	}
}

// rows drops each row of a table, which is an element that is itself a composite literal.
func (v *visitor) rows(table *ast.CompositeLit) {
	for _, e := range table.Elts {
		value := e
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if _, named := pair.Key.(*ast.Ident); named {
				continue // a field
			}
			value = pair.Value
		}
		if row, ok := value.(*ast.CompositeLit); !ok || len(row.Elts) < 2 {
			continue
		}
		end := v.offset(e.End())
		if end < len(v.text) && v.text[end] == ',' {
			v.add(e.Pos(), e.End()+1, "", "the row is dropped")
		}
	}
}
