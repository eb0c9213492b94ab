#!/bin/sh
# Installs a stategate release: downloads the archive for this machine, verifies it against the release's checksums.txt, verifies
# its attestation if possible, and writes the binary to a directory. It reads these environment variables:
#
#   STATEGATE_VERSION      the release, such as v0.1.0; the install.sh of a release defaults to that release
#   STATEGATE_BIN          the directory for the binary (default: ~/.local/bin)
#   STATEGATE_CACHE        a directory that keeps the archive; empty keeps none. The archive is verified against
#                          checksums.txt each time, so write access to the directory does not decide what runs
#   STATEGATE_ATTESTATION  auto verifies the attestation if gh is installed and logged in; required refuses an archive that
#                          cannot be verified; off does not verify it
#   STATEGATE_RELEASES     the URL of the releases: https, or http on the loopback interface
#   STATEGATE_REPOSITORY   the repository whose release workflow must have built the archive
#
# It exits with 0 if it installed the binary, or with 3 and a message that states what was found, what was expected and what to do.
set -eu

# plain TEXT prints text from a server or another program on one line that cannot control a terminal or a CI log. It keeps UTF-8,
# except control characters and characters that hide or reverse text.
plain() {
  printf '%s' "$1" | tr '\r\n' '  ' | cut -c 1-1000 | LC_ALL=C awk '{
    for (out = ""; length($0) > 0; $0 = substr($0, RLENGTH + 1)) {
      if (match($0, /^[ -~]+/)) out = out substr($0, 1, RLENGTH)
      else if (match($0, /^(\342\200[\213-\217\250-\256]|\342\201[\240-\257]|\357\273\277|\363\240[\200-\277][\200-\277])/)) out = out "?"
      else if (match($0, /^(\302[\240-\277]|[\303-\337][\200-\277]|[\340-\357][\200-\277][\200-\277]|[\360-\364][\200-\277][\200-\277][\200-\277])/)) out = out substr($0, 1, RLENGTH)
      else { out = out "?"; RLENGTH = 1 }
    }
    print out
  }' | tr -s '#'
}

fail() {
  message=$(plain "$*")
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    printf '::error title=stategate was not installed::%s\n' "$message"
  else
    printf 'stategate was not installed: %s\n' "$message" >&2
  fi
  exit 3
}

version=${STATEGATE_VERSION:-}
bin=${STATEGATE_BIN:-${HOME:?}/.local/bin}
cache=${STATEGATE_CACHE:-}
attestation=${STATEGATE_ATTESTATION:-auto}
repository=${STATEGATE_REPOSITORY:-stategate/stategate}
releases=${STATEGATE_RELEASES:-https://github.com/$repository/releases/download}

case $version in
'') fail "no version is given: write one such as v0.1.0, or source to build it" ;;
*[!A-Za-z0-9.+-]*) fail "the version \"$version\" is not valid: write one such as v0.1.0" ;;
v[0-9]*.[0-9]*.[0-9]*) ;;
*) fail "the version \"$version\" is not valid: write one such as v0.1.0" ;;
esac
case $attestation in
auto | required | off) ;;
*) fail "the attestation \"$attestation\" is not valid: write auto, required or off" ;;
esac
case $releases in
*@*) fail "the address of the releases holds a user name: $releases" ;;
https://*) schemes='=https' ;;
http://127.0.0.1[:/]* | http://localhost[:/]* | "http://[::1]"*) schemes='=http,https' ;;
*) fail "releases are downloaded with https only, found $releases" ;;
esac

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
MINGW* | MSYS* | CYGWIN*) os=windows ;;
*) fail "there is no release for the system $(uname -s): write \`version: source\`, which needs Go" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no release for the processor $(uname -m): write \`version: source\`, which needs Go" ;;
esac
name=stategate_${version#v}_${os}_$arch.tar.gz program=stategate
if [ $os = windows ]; then name=${name%.tar.gz}.zip program=stategate.exe; fi

command -v curl >/dev/null || fail "curl is missing: install it first"
if command -v sha256sum >/dev/null; then
  digest() { sha256sum <"$1" | cut -c 1-64; }
elif command -v shasum >/dev/null; then
  digest() { shasum -a 256 <"$1" | cut -c 1-64; }
else
  fail "neither sha256sum nor shasum is installed: the archive cannot be checked"
fi

scratch=$(mktemp -d) || fail "no temporary directory can be made"
clean() {
  code=$?
  rm -rf "$scratch"
  case $code in 0 | 143) exit $code ;; *) exit 3 ;; esac
}
trap clean EXIT
trap 'exit 143' HUP INT TERM

# download URL FILE MEGABYTES. A redirection is followed with https only, wherever it leads: what arrives is compared with a
# checksum. --fail answers an error of the server or of a proxy, and curl itself a download that ends too early.
download() {
  curl --proto "$schemes" --proto-redir '=https' --location --max-redirs 5 --fail --silent --show-error --retry 2 \
    --connect-timeout 20 --max-time 300 --max-filesize "$3"000000 --output "$2" "$1" 2>"$scratch/curl" ||
    fail "$1 could not be downloaded: $(tr -d '\r' <"$scratch/curl" | head -n 1)"
}

# beginning FILE is its first line as a message can show it: what a proxy answers is seen there.
beginning() { head -c 200 "$1" | tr -dc '[:alnum:] [:punct:]\n' | head -n 1 | cut -c 1-60; }

download "$releases/$version/checksums.txt" "$scratch/checksums.txt" 1
expected=$(tr -d '\r' <"$scratch/checksums.txt" | awk -v name="$name" '$2 == name || $2 == "*" name { print $1 }')
case $expected in
'') fail "checksums.txt of $version does not name $name, and begins with \"$(beginning "$scratch/checksums.txt")\": the release has no such archive, or a proxy answered" ;;
*[!0-9a-f]*) fail "checksums.txt of $version has no valid SHA-256 of $name, or several" ;;
esac
[ ${#expected} = 64 ] || fail "checksums.txt of $version has no valid SHA-256 of $name: found \"$expected\""

archive=$scratch/$name from=downloaded
if [ -n "$cache" ] && [ -f "$cache/$name" ]; then
  if cp "$cache/$name" "$archive" && [ "$(digest "$archive")" = "$expected" ]; then
    from=cached
  else
    echo "the cached $name is not what checksums.txt of $version says: it is downloaded again" >&2
  fi
fi
if [ $from = downloaded ]; then
  download "$releases/$version/$name" "$archive" 200
  found=$(digest "$archive")
  [ "$found" = "$expected" ] || fail "$name has the SHA-256 $found, expected $expected as checksums.txt of $version says; it has $(wc -c <"$archive" | tr -d ' ') bytes and begins with \"$(beginning "$archive")\": it was changed, or a proxy answered"
fi

checked="its checksum" why=''
if [ "$attestation" != off ]; then
  if ! command -v gh >/dev/null; then
    why="gh is not installed"
  elif [ -z "${GH_TOKEN:-${GITHUB_TOKEN:-}}" ]; then
    why="gh is not logged in: GH_TOKEN is empty"
  elif gh attestation verify "$archive" --repo "$repository" --signer-workflow "$repository/.github/workflows/release.yml" >"$scratch/gh" 2>&1; then
    checked="its checksum and its attestation"
  else
    fail "$name has no valid attestation of $repository: $(tail -n 1 "$scratch/gh")"
  fi
  if [ -n "$why" ] && [ "$attestation" = required ]; then
    fail "the attestation of $name could not be checked: $why"
  fi
fi

mkdir "$scratch/unpacked"
if [ $os = windows ]; then
  unzip -q "$archive" $program -d "$scratch/unpacked" || fail "$name has no $program"
else
  tar -xzf "$archive" -C "$scratch/unpacked" $program || fail "$name has no $program"
fi
{ [ -f "$scratch/unpacked/$program" ] && [ ! -L "$scratch/unpacked/$program" ]; } || fail "$program in $name is not a file"
chmod 755 "$scratch/unpacked/$program"
says=$("$scratch/unpacked/$program" version 2>"$scratch/says") || fail "$program of $name does not run here: $(head -c 200 "$scratch/says")"
# A valid archive of another release would have a valid attestation, too.
case $says in
"stategate $version,"*) ;;
*) fail "$name says that it is \"$(printf '%s' "$says" | head -c 200)\", expected stategate $version" ;;
esac

[ ! -d "$bin/$program" ] || fail "$bin/$program is a directory, expected a file or nothing: remove it, or set STATEGATE_BIN to another directory"
{ mkdir -p "$bin" && mv -f "$scratch/unpacked/$program" "$bin/$program"; } 2>"$scratch/says" ||
  fail "$bin/$program could not be written: $(head -n 1 "$scratch/says"); set STATEGATE_BIN to another directory"
if [ -n "$cache" ] && [ $from = downloaded ]; then
  { mkdir -p "$cache" && mv -f "$archive" "$cache/$name"; } 2>"$scratch/says" ||
    echo "the archive is not kept: $(plain "$(head -n 1 "$scratch/says")"); set STATEGATE_CACHE to another directory" >&2
fi
if [ -z "${STATEGATE_BIN:-}" ]; then
  case :$PATH: in *":$bin:"*) ;; *) echo "$bin is not in PATH: add it, as with export PATH=\"$bin:\$PATH\"" >&2 ;; esac
fi
echo "stategate $version ($from; checked: $checked${why:+; the attestation was not checked: $why})"
