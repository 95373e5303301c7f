// For the escape test: what a CommonJS file is given, and an ES module is not.
module.exports = {require, module};
