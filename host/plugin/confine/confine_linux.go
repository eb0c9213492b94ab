package confine

import "strconv"

// InForce lists the means by which this system confines workers, and the means that it lacks.
func InForce() (have, lack []string) {
	have = []string{"no new privileges"}
	if v := landlockVersion(); v > 0 {
		have = append(have, "files by Landlock "+strconv.Itoa(v))
	} else {
		lack = append(lack, "files by Landlock (Linux 5.13)")
	}
	if filters() {
		have = append(have, "system calls by seccomp")
	} else {
		lack = append(lack, "system calls by seccomp")
	}
	return have, lack
}
