package print
import ("testing";"os";"strings")
func TestTry(t *testing.T){
 var b strings.Builder
 Diff(&b, []FileChange{
  {From:"s/state.json",To:"s/state.corrupt.json",Before:[]byte("{\n"),After:[]byte("{\n")},
  {To:"s/state.json",After:[]byte("{}\n")},
  {From:"s/a b.md",To:"s/a b.md",Before:[]byte("x\r\ny\tz\r\n"),After:[]byte("x\r\ny\tq\r\n")},
  {From:"s/nonl",To:"s/nonl",Before:[]byte("x\ny"),After:[]byte("x\nz")},
  {From:"s/über\".md",Before:[]byte("x\n")},
  {From:"s/old.md",To:"t/u/new.md",Before:[]byte("1\n2\n3\n"),After:[]byte("1\n2\n4\n")},
  {From:"s/empty",},
  {To:"s/made",},
 }, Options{})
 os.WriteFile("/tmp/recovercli/d.patch",[]byte(b.String()),0o644)
}
