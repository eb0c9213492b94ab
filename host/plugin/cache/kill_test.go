package cache

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

var kills = flag.Int("kills", 8, "how many processes TestKilled kills")

// contents returns the bytes of the entry or verdict with the given key.
func contents(key string) []byte { return bytes.Repeat([]byte(key+"\n"), 3000) }

// keepForEver creates and drops entries and verdicts until it is killed.
func keepForEver(dir, seed string) error {
	c, err := Open(dir, false)
	if err != nil {
		return err
	}
	n, _ := strconv.ParseInt(seed, 10, 64)
	random := rand.New(rand.NewSource(n))
	fmt.Println("ready")
	for {
		key := fmt.Sprintf("key%d", random.Intn(4))
		e, err := c.Get(key, func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, "version"), 0o700); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "version", "code"), contents(key), 0o600)
		})
		if err != nil {
			return err
		}
		if e.Warning != "" {
			return fmt.Errorf("%s", e.Warning)
		}
		v, err := OpenVerdicts(dir, "tree", false)
		if err != nil {
			return err
		}
		v.Put([32]byte{key[3]}, [8]byte{key[3]}, contents(key))
		if err := v.Close(); err != nil {
			return err
		}
		if random.Intn(3) == 0 {
			e.Drop()
		}
	}
}

// TestKilled kills two processes that share a cache at random moments. Afterwards nothing in it is damaged or
// incomplete.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	random := rand.New(rand.NewSource(1))
	found, verdicts := 0, 0
	done := 0
	for ; done < *kills || (found == 0 || verdicts == 0) && done < 20**kills; done++ {
		kill(t, dir, random)
		c, err := Open(dir, true)
		if err != nil {
			t.Fatal(err)
		}
		v, err := OpenVerdicts(dir, "tree", true)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			key := fmt.Sprintf("key%d", i)
			if e, damage := c.find(key); damage != nil {
				t.Fatalf("%s: %v", key, damage)
			} else if e != nil {
				found++
				if data, err := os.ReadFile(filepath.Join(e.Dir, "version", "code")); err != nil ||
					!bytes.Equal(data, contents(key)) {
					t.Fatalf("%s has %d bytes, %v", key, len(data), err)
				}
			}
			if text, ok := v.Get([32]byte{key[3]}); ok {
				verdicts++
				if !bytes.Equal(text, contents(key)) {
					t.Fatalf("the verdict of %s has %d bytes", key, len(text))
				}
			}
		}
	}
	t.Logf("%d kills of two processes, %d entries and %d verdicts were there", done, found, verdicts)
	if found == 0 || verdicts == 0 {
		t.Error("nothing was kept")
	}
}

// kill starts two processes and kills them one after the other.
func kill(t *testing.T, dir string, random *rand.Rand) {
	t.Helper()
	var children [2]*exec.Cmd
	for i := range children {
		cmd := exec.Command(os.Args[0], "keep", dir, strconv.Itoa(random.Int()))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var wrong bytes.Buffer
		cmd.Stderr = &wrong
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _ = cmd.Wait(); wrong.Len() > 0 {
				t.Fatalf("the process ended by itself: %s", wrong.String())
			}
		}()
		if in := bufio.NewScanner(out); !in.Scan() || in.Text() != "ready" {
			t.Fatalf("the process says %q", in.Text())
		}
		children[i] = cmd
	}
	for _, cmd := range children {
		time.Sleep(time.Duration(random.Int63n(int64(4 * time.Millisecond))))
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
	}
}
