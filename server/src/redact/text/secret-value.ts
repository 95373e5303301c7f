// Decides by a value under a secret name whether it is the secret itself, or says where the secret comes from.

/** Gives the text that stands in a secret's place. */
export type HideSecret = (secret: string) => string;

/** Variables, templates, references to secret stores, and placeholders. */
const REFERENCE =
  /^(?:\$|%[({]|%[+#]?[svdqx](?:\W|$)|\{\{|\{[\w.!:]{0,40}\}$|<[\w -]+>|<%|#\{|@\w+\(|\*{2,}|x{4,}$|redacted:|\[?redacted|\[[A-Z]+\]$|-\d+$|<[^<>\n]*>$|MIIBIj|MIGfMA0|MIIBojAN|MIICIj|MFkwEwYH|MHYwEAYH|MCowBQYDK2Vw|Ag[A-D][\w+/]{100,}|vault:|ref\+|op:\/\/|ssm:|sm:\/\/|file:|env:|arn:|akv:|secretref:|projects\/[^/]+\/(?:secrets|locations)\/|keyvault:|ENC\[|-----BEGIN (?:CERTIFICATE|PUBLIC KEY|RSA PUBLIC KEY|CERTIFICATE REQUEST)|ssh-(?:rsa|ed25519|dss) |age1[a-z\d]{58}$|ecdsa-sha2|sha(?:1|256|384|512)[:-])/i;
const NOT_A_VALUE =
  /^(?:…|\.{3}|[~^]?\d+\.\d+\.\d+(?:-[a-z]+\.?\d*)?|null|nil|none|true|false|yes|no|on|off|undefined|~|\*|required|optional|enabled|disabled|always|never|read|write|\?|:[a-z]\w*|[a-z]+(?:\|[a-z]+)+|__[A-Z_]+__|(?:files|compat|db|sss|ldap)(?: [a-z]+)*|argon2(?:id|i|d)?|bcrypt|scrypt|pbkdf2|ssha|sha-?\d+|md5)?$/i;
const PATH = /^(?:~|\.{1,2})?\/(?:[\w.@+-]+(?:\/[\w.@+{}$-]*)*)?$/;
/** Base64 that begins with a slash. */
const RANDOM_PATH = /^\/(?=.*[A-Z].*[A-Z].*[A-Z])(?=(?:\D*\d){3})[A-Za-z\d+/]{30,}={0,2}$/;
/** A structure of YAML or JSON, an anchor, a tag. What is inside it is looked at by itself. */
const STRUCTURE = /^(?:[[{|>&!]|<<[-~]?|\*[A-Za-z])/;

/** `${DB_PASSWORD:-hunter2}`: a reference that carries a value for the case that it leads nowhere. */
const DEFAULT_VALUE =
  /^\$\{(?!(?:env|file|vault|secret|secrets|ssm|aws|gcp|azure|keystore|sops|sm|op):)[\w.]+:(?![?+])[-=]?([^{}]+)\}/;
/** A call, an index or a member of a program, which gives the secret when it runs. */
const CODE =
  /^(?:(?:await|new|return)\s+)?[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*[([](?:.*[)\]]\S*)?$|^(?:await|new)$|^\(|^[a-z]+[A-Za-z]*(?:\.[a-zA-Z]+(?:_[a-z]+)*)+[,;]?$|^(?:process\.env|os\.environ|settings|config|cfg|self|this|req|request|options|opts|props|ctx)\.\w+(?:\.\w+)*;?$/;

/** Whether the value is only a pointer to a secret, a placeholder or public. */
/** `Bearer ${token}`. */
const SCHEME_OF = /^(?:bearer|basic|token|apikey)\s+(?=\S)/i;

export function isReference(text: string): boolean {
  const value = text.replace(SCHEME_OF, '');
  const inner = DEFAULT_VALUE.exec(value)?.[1];
  if (inner !== undefined) return isReference(inner);
  return NOT_A_VALUE.test(value) || REFERENCE.test(value) || (PATH.test(value) && !RANDOM_PATH.test(value));
}

/** The type of a field, in a schema or a program. */
const TYPE =
  /^(?:string|str|bytes?|number|integer|int(?:32|64)?|bool(?:ean)?|any|unknown|object|Optional|Option|List|Vec|ID|char|text|varchar|SecretStr|SecureString|Buffer|Uint8Array)(?:[![\]<>?|&(,;\s}].*)?$/i;

/** Whether an unquoted value is an expression of a program. */
export function isCode(value: string): boolean {
  // `password = 2;` numbers a field.
  return CODE.test(value) || TYPE.test(value) || /^\d{1,2};?$/.test(value);
}

export function isStructure(value: string): boolean {
  return STRUCTURE.test(value);
}

/** Words that follow "token:" or "password:" in messages of programs. */
const PROSE = /^(?:[a-z]+|[A-Z][a-z]+)$/;

/** The text of a label or of a message in a file of translations. */
const LABEL =
  /^(?:(?:new |old |your |confirm |repeat )?(?:passwords?|passwort|kennwort|tokens?|secrets?|mot de passe|contraseña|senha|passphrase|api key|pin))[:?*]?$/i;
const MESSAGE = /^\p{Lu}\p{L}+,?(?: \p{L}[\p{L}\d']*[,.:;!?]?){2,}$|^\p{Lu}\p{L}+(?: \p{L}+)+[?.:…]$/u;
/** `Access token`: the title of a field. */
const TITLE =
  /^(?=.*\b(?:password|passphrase|token|secret|key|code|pin|credentials?)s?\b)\p{Lu}\p{L}*(?:[ -]\p{L}+)+$/iu;
/** Passwords have no letters outside of ASCII without digits. */
const FOREIGN_WORD = /^(?=.*\P{ASCII})[\p{L} -]+$/u;

/** `Password` and `The token is not valid` are what a person reads. */
export function isLabel(value: string): boolean {
  return (
    (/^[A-Z]/.test(value) && LABEL.test(value)) ||
    MESSAGE.test(value) ||
    TITLE.test(value) ||
    FOREIGN_WORD.test(value)
  );
}

/** Whether `token: expired at noon` goes on as a sentence rather than holding a value. */
export function isProse(value: string, rest: string): boolean {
  const [word = ''] = value.split(/[\s,;]/, 1);
  return PROSE.test(word) && /^[\s,;]+[a-z'"`(<]/i.test(value.slice(word.length) + rest) && !/\d/.test(value);
}
