// The types of CEL expressions, how they print in errors, and which value fits which parameter.

export type CelType =
  | {readonly kind: 'simple'; readonly name: string}
  | {readonly kind: 'list'; readonly of: CelType}
  | {readonly kind: 'map'; readonly key: CelType; readonly value: CelType}
  | {readonly kind: 'optional'; readonly of: CelType}
  | {readonly kind: 'type'; readonly of: CelType}
  | {readonly kind: 'object'; readonly name: string; readonly fields: ReadonlyMap<string, CelType>}
  | {readonly kind: 'parameter'; readonly name: string};

const simple = (name: string): CelType => ({kind: 'simple', name});

export const BOOL = simple('bool');
export const INT = simple('int');
export const UINT = simple('uint');
export const DOUBLE = simple('double');
export const STRING = simple('string');
export const BYTES = simple('bytes');
export const NULL = simple('null');
export const DYN = simple('dyn');
/** The type of an expression that has an error already. It fits everywhere, to report each error once. */
export const ERROR = simple('!error!');
export const TIMESTAMP = simple('timestamp');
export const DURATION = simple('duration');

export const listOf = (of: CelType): CelType => ({kind: 'list', of});
export const mapOf = (key: CelType, value: CelType): CelType => ({kind: 'map', key, value});
export const optionalOf = (of: CelType): CelType => ({kind: 'optional', of});
export const typeOf = (of: CelType): CelType => ({kind: 'type', of});
export const simpleType = simple;

export const isDyn = (type: CelType): boolean => type === DYN || type === ERROR;

/** The names of types that an expression may use as values, such as `type(x) == int`. */
export const TYPE_NAMES: Readonly<Record<string, CelType>> = {
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
  null_type: NULL,
  list: listOf(DYN),
  map: mapOf(DYN, DYN),
  type: typeOf(DYN),
  optional_type: optionalOf(DYN),
  'google.protobuf.Timestamp': TIMESTAMP,
  'google.protobuf.Duration': DURATION,
  'net.IP': simple('net.IP'),
  'net.CIDR': simple('net.CIDR'),
};

export function printType(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${printType(type.of)})`;
    case 'map':
      return `map(${printType(type.key)}, ${printType(type.value)})`;
    case 'optional':
      return `optional_type(${printType(type.of)})`;
    case 'type':
      return `type(${printType(type.of)})`;
    case 'parameter':
      return 'dyn';
    default:
      return type.name;
  }
}

/** Values of type parameters that one call binds. */
export type Bindings = Map<string, CelType>;

/** Replaces bound parameters. Unbound ones become dyn. */
export function substitute(type: CelType, bound: Bindings): CelType {
  switch (type.kind) {
    case 'parameter': {
      const found = bound.get(type.name);
      return found ? substitute(found, bound) : DYN;
    }
    case 'list':
      return listOf(substitute(type.of, bound));
    case 'optional':
      return optionalOf(substitute(type.of, bound));
    case 'type':
      return typeOf(substitute(type.of, bound));
    case 'map':
      return mapOf(substitute(type.key, bound), substitute(type.value, bound));
    default:
      return type;
  }
}

const NULLABLE = new Set([
  'timestamp',
  'duration',
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.URL',
]);

function acceptsNull(type: CelType): boolean {
  return (
    type.kind === 'object' || type.kind === 'optional' || (type.kind === 'simple' && NULLABLE.has(type.name))
  );
}

/** Whether an argument fits a parameter. Binds the parameter's type variables. */
export function fits(parameter: CelType, argument: CelType, bound: Bindings): boolean {
  if (parameter.kind === 'parameter') {
    const found = bound.get(parameter.name);
    if (!found) {
      bound.set(parameter.name, argument);
      return true;
    }
    if (fits(found, argument, bound)) {
      // The more general of the two wins: dyn over a type, a typed list over an empty one.
      if (found !== DYN && isDyn(argument)) bound.set(parameter.name, DYN);
      return true;
    }
    if (fits(argument, found, bound)) {
      bound.set(parameter.name, argument);
      return true;
    }
    return false;
  }
  if (isDyn(parameter) || isDyn(argument)) return true;
  // A literal such as [] has no item type yet.
  if (argument.kind === 'parameter') return true;
  if (argument === NULL && parameter !== NULL) return acceptsNull(parameter);
  if (parameter === NULL && argument !== NULL) return acceptsNull(argument);
  switch (parameter.kind) {
    case 'list':
      return argument.kind === 'list' && fits(parameter.of, argument.of, bound);
    case 'optional':
      return argument.kind === 'optional' && fits(parameter.of, argument.of, bound);
    case 'type':
      return argument.kind === 'type';
    case 'map':
      return (
        argument.kind === 'map' &&
        fits(parameter.key, argument.key, bound) &&
        fits(parameter.value, argument.value, bound)
      );
    case 'object':
      return argument.kind === 'object' && argument.name === parameter.name;
    default:
      return argument.kind === 'simple' && argument.name === parameter.name;
  }
}

/** The types with an order, which min(), sort() and sortBy() take. */
export const ORDERED = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

export function hasOrder(type: CelType): boolean {
  return isDyn(type) || type.kind === 'parameter' || (type.kind === 'simple' && ORDERED.includes(type.name));
}

const PARAMETER = /^[A-Z]$/;

/** Reads "list<A>", "map<string, int>", "optional<A>", "int" or the name of another type. */
export function parseType(text: string): CelType {
  const trimmed = text.trim();
  const generic = /^(list|map|optional|type)<(.*)>$/.exec(trimmed);
  if (generic) {
    const parts = splitArguments(generic[2]!).map(parseType);
    if (generic[1] === 'list') return listOf(parts[0]!);
    if (generic[1] === 'optional') return optionalOf(parts[0]!);
    if (generic[1] === 'type') return typeOf(parts[0]!);
    return mapOf(parts[0]!, parts[1]!);
  }
  if (PARAMETER.test(trimmed)) return {kind: 'parameter', name: trimmed};
  const known = [BOOL, INT, UINT, DOUBLE, STRING, BYTES, NULL, DYN, TIMESTAMP, DURATION].find(
    type => type.kind === 'simple' && type.name === trimmed,
  );
  return known ?? simple(trimmed);
}

/** Splits at commas outside of angle brackets. */
export function splitArguments(text: string): string[] {
  const out: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '<') depth++;
    else if (text[i] === '>') depth--;
    else if (text[i] === ',' && depth === 0) {
      out.push(text.slice(start, i));
      start = i + 1;
    }
  }
  const last = text.slice(start);
  if (last.trim() !== '') out.push(last);
  return out;
}
