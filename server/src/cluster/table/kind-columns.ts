// Columns of the built-in kinds, by `group/resource`. The command line shows rows of these kinds with them, too.
import {clusterColumns} from './cluster-columns.ts';
import type {KubectlColumn} from './table.ts';
import {workloadColumns} from './workload-columns.ts';

export const kindColumns: Readonly<Record<string, KubectlColumn[]>> = {...workloadColumns, ...clusterColumns};
