// Finds the imports of a file: specifiers, their positions and the imported names.
import ts from 'typescript';

interface ModuleImport {
  specifier: string;
  /** The position of the specifier with its quotes. */
  start: number;
  end: number;
  names: string[];
}

/** In source order. */
export function findModuleImports(text: string): ModuleImport[] {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found: ModuleImport[] = [];
  const add = (node: ts.Expression | undefined, names: string[]) => {
    if (node !== undefined && ts.isStringLiteral(node)) {
      found.push({specifier: node.text, start: node.getStart(file), end: node.end, names});
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importedNames(node));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, exportedNames(node));
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], []);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const {literal} = node.argument;
      if (ts.isStringLiteral(literal)) add(literal, []);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Files that are started as a thread or a process: ``new URL(`./NAME${extname(import.meta.url)}`, import.meta.url)``. */
export function findStartedFiles(text: string): string[] {
  return [...text.matchAll(/new URL\(`([^`$]+)\$\{extname\(import\.meta\.url\)\}`/g)].map(
    ([, file]) => `${file}.ts`,
  );
}

function importedNames({importClause}: ts.ImportDeclaration): string[] {
  const names = importClause?.name === undefined ? [] : ['default'];
  const bindings = importClause?.namedBindings;
  if (bindings === undefined) return names;
  if (ts.isNamespaceImport(bindings)) return [...names, '*'];
  return [...names, ...bindings.elements.map(element => (element.propertyName ?? element.name).text)];
}

function exportedNames({exportClause}: ts.ExportDeclaration): string[] {
  if (exportClause === undefined || ts.isNamespaceExport(exportClause)) return ['*'];
  return exportClause.elements.map(element => (element.propertyName ?? element.name).text);
}
