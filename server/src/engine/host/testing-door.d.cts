type Loader = (name: string) => unknown;
declare const door: {
  require: Loader;
  module: {require: Loader; constructor: {_load: Loader}};
};
export = door;
