// Packs several chosen files into one upload, oldest first: documents are the moments of a timeline.

const BLOCK = 512;

export async function packFiles(files: readonly File[]): Promise<File> {
  const parts: BlobPart[] = [];
  const sorted = files.toSorted((a, b) => a.lastModified - b.lastModified || (a.name < b.name ? -1 : 1));
  for (const file of sorted) {
    parts.push(headerOf(file), await file.arrayBuffer());
    parts.push(new Uint8Array((BLOCK - (file.size % BLOCK)) % BLOCK));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return new File(parts, 'files.tar');
}

/** A ustar header: fixed fields, numbers in octal, and the sum of its own bytes. */
function headerOf({name, size, lastModified}: File): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(BLOCK);
  const encoder = new TextEncoder();
  const write = (at: number, text: string) => header.set(encoder.encode(text), at);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.set(encoder.encode(name.replaceAll('/', '-')).subarray(0, 100), 0);
  write(100, '0000644');
  write(124, octal(size, 11));
  write(136, octal(Math.floor(lastModified / 1000), 11));
  write(148, '        ');
  write(156, '0');
  write(257, 'ustar');
  write(263, '00');
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(148, `${octal(sum, 6)}\0 `);
  return header;
}
