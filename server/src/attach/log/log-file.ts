// Follows a log file like `tail -F`: what is appended, across rotation, truncation and absence.
import {statSync} from 'node:fs';
import {type FileHandle, open, stat} from 'node:fs/promises';
import type {LogReceiver, LogSource} from './log-source.ts';

const CHECK_MS = 150;
const PIECE_BYTES = 256 * 1024;

export class LogFile implements LogSource {
  readonly #path: string;
  #file: {handle: FileHandle; inode: number; position: number} | undefined;
  /** What the file has before the start is not read. */
  #start: {inode: number; size: number} | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(path: string) {
    this.#path = path;
  }

  get text(): string {
    return this.#path;
  }

  start(receiver: LogReceiver): void {
    // Not later: lines that come while this starts count.
    const found = statSync(this.#path, {throwIfNoEntry: false});
    if (found !== undefined) this.#start = {inode: found.ino, size: found.size};
    const check = async (): Promise<void> => {
      try {
        await this.#check(receiver);
        receiver.problem(undefined);
      } catch (error) {
        receiver.problem(`${this.#path}: ${(error as Error).message}`);
      }
      if (this.#isStopped) return;
      this.#timer = setTimeout(() => {
        this.#checking = check();
      }, CHECK_MS);
    };
    this.#checking = check();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#checking;
    await this.#file?.handle.close();
    this.#file = undefined;
  }

  async #check(receiver: LogReceiver): Promise<void> {
    await this.#readOn(receiver);
    const {ino, size} = await stat(this.#path);
    const file = this.#file;
    if (file?.inode === ino && size >= file.position) return;
    if (file !== undefined) {
      // The last lines of a rotated file may have come after the read above.
      if (file.inode !== ino) await this.#readOn(receiver);
      await file.handle.close();
      this.#file = undefined;
      receiver.restart();
    }
    const handle = await open(this.#path, 'r');
    const {ino: inode} = await handle.stat();
    const position = this.#start?.inode === inode ? this.#start.size : 0;
    this.#start = undefined;
    this.#file = {handle, inode, position};
    receiver.problem(undefined);
    await this.#readOn(receiver);
  }

  async #readOn(receiver: LogReceiver): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    for (;;) {
      const {bytesRead, buffer} = await file.handle.read(
        Buffer.allocUnsafe(PIECE_BYTES),
        0,
        PIECE_BYTES,
        file.position,
      );
      if (bytesRead === 0 || this.#isStopped) return;
      file.position += bytesRead;
      receiver.data(buffer.subarray(0, bytesRead));
    }
  }
}
