#!/usr/bin/env node
// What `exec` in npm's start script means on Windows, whose shell has no such word: run the rest and take its end.
// Elsewhere the shell's own exec is meant: without it dash keeps SIGINT to itself and the server never hears of it.
import {spawnSync} from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
process.exitCode = spawnSync(command, args, {stdio: 'inherit'}).status ?? 1;
