#!/bin/sh
# Refuses a push that leaves workflow state inconsistent. Compares a branch with
# its previous tip, and a new branch with the default branch. Uses the
# configuration from before the push.
status=0
trunk=$(git rev-parse --quiet --verify 'HEAD^{commit}')
while read -r old new ref; do
  case $ref in refs/heads/*) ;; *) continue ;; esac # tags, notes
  case $new in *[!0]*) ;; *) continue ;; esac # deleted
  case $old in
  *[!0]*) set -- --base-exact "$old" --policy-from "$old" ;;
  *)
    set -- --base none
    if [ -n "$trunk" ]; then
      set -- "$@" --policy-from "$trunk"
      git merge-base "$trunk" "$new" >/dev/null && set -- --base "$trunk..." --policy-from "$trunk"
    fi
    ;;
  esac
  echo "stategate: $ref"
  stategate check --rev "$new" "$@" || status=1
done
exit $status
