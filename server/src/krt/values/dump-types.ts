// The debug document that istiod serves at /debug/krtz, as data.

export interface DumpInput {
  outputs?: string[];
  dependencies?: string[];
}

export interface DumpState {
  outputs?: Record<string, unknown>;
  inputCollection?: string;
  inputs?: Record<string, DumpInput>;
  synced: boolean;
}

export interface DumpEntry {
  uid: number;
  name: string;
  state: DumpState;
}
