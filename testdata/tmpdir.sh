#!/bin/sh
# Prints the directory for the tests' temporary files: a memory file system if it has room and allows running programs (tests
# write ten thousand small files, and git and the journal wait for the disk), or TMPDIR if there is none.
memory=/dev/shm
if [ -z "${TMPDIR:-}" ] && probe=$(mktemp "$memory/probe.XXXXXX" 2> /dev/null); then
	if printf '#!/bin/sh\n' > "$probe" && chmod u+x "$probe" && "$probe" 2> /dev/null && [ "$(df -Pk "$memory" | awk 'END { print $4 }')" -ge 3000000 ]; then
		TMPDIR=$memory
	fi
	rm -f "$probe"
fi
echo "${TMPDIR:-/tmp}"
