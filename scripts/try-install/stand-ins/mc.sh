#!/bin/sh
# `mc ready local` tells whether the store answers; the bucket, which other commands would make, is made by the store itself.
[ "$1" != ready ] || exec node -e "require('node:net').connect(9000).on('connect', () => process.exit()).on('error', () => process.exit(1))"
