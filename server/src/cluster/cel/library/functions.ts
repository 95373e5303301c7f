// All functions of Kubernetes 1.36 for CRDs, webhooks and policies.
import {FunctionTable} from '../functions.ts';
import {conversionFunctions} from './conversions.ts';
import {formatFunctions} from './formats.ts';
import {listFunctions} from './lists.ts';
import {networkFunctions} from './network.ts';
import {operatorFunctions} from './operators.ts';
import {optionalFunctions} from './optionals.ts';
import {quantityFunctions} from './quantity.ts';
import {semverFunctions} from './semver.ts';
import {stringFormatFunctions} from './string-format.ts';
import {stringFunctions} from './strings.ts';
import {timeFunctions} from './time.ts';
import {urlFunctions} from './url.ts';

let table: FunctionTable | undefined;

export function kubernetesFunctions(): FunctionTable {
  if (!table) {
    table = new FunctionTable();
    for (const functions of [
      operatorFunctions,
      conversionFunctions,
      stringFunctions,
      stringFormatFunctions,
      listFunctions,
      timeFunctions,
      optionalFunctions,
      quantityFunctions,
      urlFunctions,
      networkFunctions,
      formatFunctions,
      semverFunctions,
    ])
      table.addAll(functions);
  }
  return table;
}
