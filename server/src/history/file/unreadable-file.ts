/** A file that cannot be read: the message says why, for a person. */
export class UnreadableFile extends Error {}
