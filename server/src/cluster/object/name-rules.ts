// Kubernetes' rules for names, with its error texts.

const LABEL_PATTERN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_PATTERN = `${LABEL_PATTERN}(\\.${LABEL_PATTERN})*`;
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const whole = (pattern: string) => new RegExp(`^${pattern}$`);
const SUBDOMAIN = whole(SUBDOMAIN_PATTERN);
const LABEL = whole(LABEL_PATTERN);
const LABEL_1035 = whole('[a-z]([-a-z0-9]*[a-z0-9])?');

const regexNote = (pattern: string) => `regex used for validation is '${pattern}'`;

export function subdomainProblems(name: string): string[] {
  const out: string[] = [];
  if (name.length > 253) out.push('must be no more than 253 characters');
  if (!SUBDOMAIN.test(name)) {
    out.push(
      `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', ${regexNote(SUBDOMAIN_PATTERN)})`,
    );
  }
  return out;
}

export function labelNameProblems(name: string): string[] {
  const out: string[] = [];
  if (name.length > 63) out.push('must be no more than 63 characters');
  if (!LABEL.test(name)) {
    out.push(
      SUBDOMAIN.test(name)
        ? 'must not contain dots'
        : `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', ${regexNote(LABEL_PATTERN)})`,
    );
  }
  return out;
}

export function label1035Problems(name: string): string[] {
  const out: string[] = [];
  if (name.length > 63) out.push('must be no more than 63 characters');
  if (!LABEL_1035.test(name)) {
    out.push(
      `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', ${regexNote('[a-z]([-a-z0-9]*[a-z0-9])?')})`,
    );
  }
  return out;
}

/** RBAC names: any valid path segment. */
export function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter(letter => name.includes(letter)).map(letter => `may not contain '${letter}'`);
}

export function qualifiedNameProblems(name: string): string[] {
  const parts = name.split('/');
  const out: string[] = [];
  let own = parts[0] ?? '';
  if (parts.length === 2) {
    const prefix = parts[0]!;
    own = parts[1]!;
    if (prefix === '') out.push('prefix part must be non-empty');
    else out.push(...subdomainProblems(prefix).map(text => `prefix part ${text}`));
  } else if (parts.length > 2) {
    return [
      `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', ${regexNote(QUALIFIED)}) with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (own === '') out.push('name part must be non-empty');
  else if (own.length > 63) out.push('name part must be no more than 63 characters');
  if (!whole(QUALIFIED).test(own)) {
    out.push(
      `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', ${regexNote(QUALIFIED)})`,
    );
  }
  return out;
}

export function labelValueProblems(value: string): string[] {
  const out: string[] = [];
  if (value.length > 63) out.push('must be no more than 63 characters');
  if (!whole(`(${QUALIFIED})?`).test(value)) {
    out.push(
      `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', ${regexNote('(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')})`,
    );
  }
  return out;
}

export function configKeyProblems(key: string): string[] {
  const out: string[] = [];
  if (key.length > 253) out.push('must be no more than 253 characters');
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    out.push(
      `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', ${regexNote('[-._a-zA-Z0-9]+')})`,
    );
  }
  if (key === '.') out.push(`must not be '.'`);
  else if (key === '..') out.push(`must not be '..'`);
  else if (key.startsWith('..')) out.push(`must not start with '..'`);
  return out;
}

/** A named port: IANA_SVC_NAME. */
export function portNameProblems(name: string): string[] {
  const out: string[] = [];
  if (name.length > 15) out.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name))
    out.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) out.push('must contain at least one letter (a-z)');
  if (name.includes('--')) out.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) out.push('must not begin or end with a hyphen');
  return out;
}
