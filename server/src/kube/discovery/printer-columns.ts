// The columns that kubectl prints for a kind, as paths into its objects. A CRD names the paths. For other kinds the
// server prints a Table, and the path of each cell is found by its value in the objects of the same rows.
import {listLeaves, readPath, writePath} from '@krtscope/shared/path.ts';
import {type Resource, resourcePath, resources} from '../resource.ts';
import type {Wire} from '../transport/transport.ts';

const COLUMNS = 6;
const ROWS = 20;
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
/** The page shows these for every kind. */
const standardPaths = new Set(['metadata.name', 'metadata.namespace', 'metadata.creationTimestamp']);

/** Returns undefined when the server has no useful columns. */
export async function printerColumns(transport: Wire, resource: Resource): Promise<string[] | undefined> {
  const fromDefinition = resource.group.includes('.')
    ? await columnsOfDefinition(transport, resource)
    : undefined;
  const paths = fromDefinition ?? (await columnsOfTable(transport, resource));
  const columns = paths?.filter(path => !standardPaths.has(path)).slice(0, COLUMNS);
  return columns === undefined || columns.length === 0 ? undefined : [...new Set(columns)];
}

interface DefinitionWithColumns {
  spec?: {
    versions?: {name: string; additionalPrinterColumns?: {jsonPath?: string; priority?: number}[]}[];
  };
}

async function columnsOfDefinition(transport: Wire, resource: Resource): Promise<string[] | undefined> {
  try {
    const path = resourcePath(resources.CustomResourceDefinitions, {
      name: `${resource.plural}.${resource.group}`,
    });
    const {body} = await transport.request<DefinitionWithColumns>({path, retries: 0, timeout: 5000});
    const version = body.spec?.versions?.find(({name}) => name === resource.version);
    return version?.additionalPrinterColumns
      ?.filter(({priority = 0}) => priority === 0)
      .flatMap(({jsonPath}) => pathOf(jsonPath ?? '') ?? []);
  } catch {
    // The kind has no CRD, or this user may not read it. The Table is the fallback.
    return undefined;
  }
}

const SEGMENT =
  /\[\?\(\s*@\.([\w-]+)\s*==\s*["']([^"'\]]*)["']\s*\)\]|\[["']([^"']*)["']\]|\[(\*|\d+)\]|\.?((?:\\.|[^.[\]\\])+)/y;

/** Turns `.status.conditions[?(@.type=="Ready")].status` into `status.conditions[type=Ready].status`. */
export function pathOf(jsonPath: string): string | undefined {
  const text = jsonPath.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, '');
  const segments: (string | number)[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < text.length) {
    const match = SEGMENT.exec(text);
    if (match === null) return undefined;
    const [, field, value, quoted, place, name] = match;
    if (field !== undefined) segments.push(`${field}=${value}`);
    else if (quoted !== undefined) segments.push(quoted);
    else if (place !== undefined) segments.push(place === '*' ? '' : Number(place));
    else segments.push((name as string).replace(/\\(.)/g, '$1'));
  }
  return segments.length === 0 ? undefined : writePath(segments);
}

interface TableResponse {
  columnDefinitions?: {name: string; priority?: number}[];
  rows?: {cells?: unknown[]; object?: unknown}[];
}

async function columnsOfTable(transport: Wire, resource: Resource): Promise<string[] | undefined> {
  try {
    const query = {limit: ROWS, includeObject: 'Object'};
    const path = resourcePath(resource);
    const {body} = await transport.request<TableResponse>({
      path,
      query,
      accept: TABLE,
      retries: 0,
      timeout: 5000,
    });
    const {columnDefinitions = [], rows = []} = body;
    if (rows.length === 0) return undefined;
    return columnDefinitions.flatMap(({priority = 0}, place) => {
      const found = priority === 0 ? cellPath(rows, place) : undefined;
      return found === undefined ? [] : [found];
    });
  } catch {
    return undefined;
  }
}

/** Returns the shortest path whose value equals the cell in every row. */
function cellPath(rows: NonNullable<TableResponse['rows']>, place: number): string | undefined {
  const [first] = rows;
  const wanted = first?.cells?.[place];
  if (wanted === undefined || wanted === null || wanted === '' || wanted === '<none>') return undefined;
  const candidates = listLeaves(first?.object, 2000)
    .filter(({value}) => String(value) === String(wanted))
    .map(({path}) => writePath(path))
    .filter(path => !path.includes('managedFields') && !path.includes('annotations'));
  const matches = candidates.filter(path =>
    rows.every(({cells, object}) => String(readPath(object, path) ?? '') === String(cells?.[place] ?? '')),
  );
  return matches.sort((a, b) => a.length - b.length)[0];
}
