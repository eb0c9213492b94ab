#!/bin/sh
# Refuses a commit that leaves workflow state inconsistent.
# Written by `stategate init`.
command -v stategate >/dev/null || {
  echo "stategate is not in PATH: install it, or remove $0" >&2
  exit 1
}
exec stategate check --staged
