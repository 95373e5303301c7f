/** The message tells a person why the file cannot be read. */
export class UnreadableFile extends Error {}
