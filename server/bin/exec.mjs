#!/usr/bin/env node
// Replaces `exec` in npm's start script on Windows, whose shell does not have it: runs the command and takes
// its exit code.
// Other systems use the shell's exec. Without it dash swallows SIGINT and the server never gets it.
import {spawnSync} from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
process.exitCode = spawnSync(command, args, {stdio: 'inherit'}).status ?? 1;
