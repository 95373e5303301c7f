// The public API `krtscope/program`: a krt engine in a user's own process.

export {collectionOf, type InformerCollectionOptions} from './informer-collection.ts';
export {reportEngine} from './report.ts';
