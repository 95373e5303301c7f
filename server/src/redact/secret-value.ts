// Decides by a value under a secret name whether it is the secret itself, or says where the secret comes from.

/** Gives the text that stands in a secret's place. */
export type HideSecret = (secret: string) => string;

/** Variables, templates, references to secret stores, and placeholders. */
const REFERENCE =
  /^(?:\$|%[({]|\{\{|<%|#\{|@\w+\(|\*{2,}|x{4,}$|redacted:|\[?redacted|<[\w -]*>$|vault:|ref\+|op:\/\/|ssm:|sm:\/\/|file:|env:|arn:|akv:|secretref:|projects\/[^/]+\/secrets|keyvault:|ENC\[|-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY|CERTIFICATE REQUEST)|ssh-(?:rsa|ed25519|dss) |ecdsa-sha2|sha(?:1|256|384|512):)/i;
const NOT_A_VALUE =
  /^(?:null|nil|none|true|false|yes|no|on|off|undefined|~|required|optional|enabled|disabled|always|never)?$/i;
const PATH = /^(?:~|\.{1,2})?\/[\w.@+-]+(?:\/[\w.@+{}$-]*)*$/;
/** A structure of YAML or JSON, an anchor, a tag. What is inside it is looked at by itself. */
const STRUCTURE = /^(?:[[{|>&!]|\*[A-Za-z])/;

/** Whether the value is only a pointer to a secret, a placeholder or public. */
export function isReference(value: string): boolean {
  return NOT_A_VALUE.test(value) || REFERENCE.test(value) || PATH.test(value);
}

export function isStructure(value: string): boolean {
  return STRUCTURE.test(value);
}

/** Words that follow "token:" or "password:" in messages of programs. */
const PROSE = /^(?:[a-z]+|[A-Z][a-z]+)$/;

/** Whether `token: expired at noon` goes on as a sentence rather than holding a value. */
export function isProse(value: string, rest: string): boolean {
  const [word = ''] = value.split(/[\s,;]/, 1);
  return PROSE.test(word) && /^[\s,;]+[a-z]/i.test(value.slice(word.length) + rest) && !/\d/.test(value);
}
