// Redacts secrets in the rows of an attached program. The objects carry no kind and are nested in structures of Go. A
// Secret is recognized by its shape, a private key by its field name or its text.
type RedactFunction = <T>(object: T, kind?: string) => T;
type DocumentNode = Record<string, unknown>;

const SECRET_FIELD = /^(private_?key|pass(word|phrase|wd)?|token|bearer_?token|client_?secret|secret_?key)$/i;
const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
/** The beginning of PEM where Go writes bytes. */
const PEM_AS_BYTES = 'LS0tLS1CRUdJTi';

/** Redacts a fresh value in place and returns it. */
export function hideSecrets(value: unknown, collection: string, redact: RedactFunction): unknown {
  const hide = (text: unknown): unknown => redact({kind: 'Secret', data: {text}}).data.text;
  const ofSecrets = /(^|[^a-z])secrets?(#\d+)?$/i.test(collection);
  const visit = (node: DocumentNode | unknown[]): void => {
    const secret = isSecret(node, ofSecrets);
    for (const [name, inside] of Object.entries(node)) {
      const field = name as keyof typeof node;
      if (secret && (name === 'data' || name === 'stringData')) redact({kind: 'Secret', [name]: inside});
      else if (typeof inside === 'string') {
        if (inside !== '' && (SECRET_FIELD.test(name) || isPrivateKey(inside)))
          (node as DocumentNode)[field] = hide(inside);
      } else if (typeof inside === 'object' && inside !== null) visit(inside as DocumentNode);
    }
  };
  const root = {value};
  visit(root);
  return redact(root).value;
}

function isPrivateKey(text: string): boolean {
  const plain = text.startsWith(PEM_AS_BYTES) ? Buffer.from(text.slice(0, 80), 'base64').toString() : text;
  return PRIVATE_KEY.test(plain);
}

/** ConfigMaps have data too, but no type. */
function isSecret(node: DocumentNode | unknown[], ofSecrets: boolean): boolean {
  if (Array.isArray(node) || typeof node.metadata !== 'object' || node.metadata === null) return false;
  if (typeof node.data !== 'object' && typeof node.stringData !== 'object') return false;
  return node.kind === 'Secret' || (node.kind === undefined && (ofSecrets || typeof node.type === 'string'));
}
