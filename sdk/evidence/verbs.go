package evidence

import "github.com/stategate/stategate/sdk/words"

// These are words for creating a file. A line that begins with a creator creates a file; a maker does so
// directly before a path, as in "add src/a.ts". The wide words are for scripts without spaces: they precede the
// path or follow を after it.
var (
	creating = []string{"create", "write", "generate", "scaffold", "criar", "crie", "crear", "créer", "erstelle", "创建",
		"新建", "建立", "作成", "создать"}
	creators = words.ListOf(creating...)
	makers   = words.ListOf(append(creating[:len(creating):len(creating)], "creates", "add", "implement", "make", "new",
		"crea", "créez", "creare", "erstellen", "implementiere", "implementar", "implémenter", "написать", "добавить",
		"реализовать")...)
	makersWide   = []string{"创建", "新建", "新增", "编写", "作成", "建立", "实现", "添加", "実装"}
	makersBehind = words.ListOf("erstellen", "anlegen", "생성", "작성", "구현")
	madeInWide   = words.ListOf("创建", "实现", "添加", "编写", "定义", "新增", "作成", "実装", "追加", "定義", "구현", "작성", "추가",
		"생성", "정의")
	listing = words.ListOf("file", "files", "文件", "ファイル", "파일", "datei", "dateien") // at the beginning of a line
	fillers = words.ListOf("a", "an", "the", "file", "files", "full", "test", "module", "script", "файл")
)

// These are words for changing an existing file, at the beginning of a line or directly before a path. In
// scripts without spaces they follow the path.
var (
	changers = words.ListOf("update", "updates", "modify", "extend", "edit", "change", "adjust", "refactor", "fix",
		"rewrite", "simplify", "optimize", "improve", "harden", "wire", "actualizar", "modificar", "atualizar",
		"modifier", "aktualisiere", "aktualisieren", "ändern", "erweitern", "изменить", "обновить", "исправить", "更新",
		"修改", "扩展", "変更", "修正")
	changersBehind = words.ListOf("を更新", "を修正", "を変更", "를 수정", "을 수정")
)

// These are words around a path that a program reads or writes when it runs: "a script that writes its
// results to data/result.csv".
var (
	runs = words.ListOf("writes", "generates", "produces", "outputs", "saves", "emits", "exports", "creates", "dumps",
		"stores", "logs", "prints", "renders", "reads", "loads", "parses")
	begins  = words.ListOf("write", "generate", "save", "export", "dump", "store", "log", "print")
	yields  = words.ListOf("output", "outputs", "result", "results", "logs")
	between = words.ListOf("to", "into", "its", "the", "a", "an", "it", "them", "data", "file", "files", "all",
		"output", "outputs", "result", "results", "logs")
)

// These are words for removing or moving a file: beginnings of words, and words in scripts without
// spaces.
var (
	takers = words.ListOf("delet", "remov", "renam", "move", "moving", "drop", "replac", "merg", "split", "consolidat",
		"inlin", "purg", "prun", "revert", "retir", "combin", "relocat", "discard", "eliminat", "convert", "migrat",
		"refactor", "restructur", "reorgani", "supersed", "rewrit", "collaps", "archiv", "transform", "undo", "fold",
		"deprecat", "uninstall", "clean", "lösch", "entfern", "umbenenn", "verschieb", "ersetz", "elimin", "renombr",
		"reemplaz", "fusion", "borr", "renome", "substitu", "mescl", "exclu", "supprim", "renomm", "déplac", "remplac",
		"удал", "переимен", "перенес", "замен", "объедин")
	takersWide = words.ListOf("删除", "移除", "重命名", "移动", "合并", "替换", "迁移", "清理", "刪除", "移動", "合併", "替換", "削除", "廃止",
		"名前変更", "リネーム", "置換", "置き換え", "統合", "삭제", "제거", "이동")
	// the new path follows these words
	targets = words.ListOf("to", "into", "as", "with", "by", "->", "=>", "⇒", "на", "в", "a", "para", "por", "nach",
		"durch", "vers", "par", "为", "成")
	// a path after one of these words refers to the content of the file, not to the file itself
	positions = words.ListOf("in", "inside", "within", "of", "using", "across", "for", "on", "at", "under", "from",
		"via")
	// after these words, "from" precedes the file that moves
	movers = words.ListOf("renam", "move", "moving", "relocat", "migrat")
	// words between the verb and the file
	besides = words.ListOf("an", "the", "old", "file", "files", "module", "model", "and", "&", "directory", "folder",
		"whole", "entire", "temporary", "obsolete", "legacy", "both")
)
