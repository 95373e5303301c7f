// Labels of an item, and metadata of a collection.

export type Labels = Readonly<Record<string, string>>;
export type Metadata = Readonly<Record<string, unknown>>;
