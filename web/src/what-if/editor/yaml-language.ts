// Colours for YAML in CodeMirror: names, strings, numbers and comments. The server judges the content.
import {StreamLanguage} from '@codemirror/language';

export const yamlLanguage = StreamLanguage.define<{isValue: boolean}>({
  name: 'yaml',
  startState: () => ({isValue: false}),
  token(stream, state) {
    if (stream.sol()) state.isValue = false;
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return 'comment';
    if (stream.match(/^---\s*$/)) return 'keyword';
    if (!state.isValue && stream.match(/^-(?=\s|$)/)) return 'operator';
    if (!state.isValue && stream.match(/^("[^"]*"|'[^']*'|[^\s#:{}[\],][^#:]*?)(?=\s*:(\s|$))/)) {
      return 'propertyName';
    }
    if (stream.match(/^:(?=\s|$)/)) {
      state.isValue = true;
      return 'operator';
    }
    if (stream.match(/^"([^"\\]|\\.)*"|^'[^']*'/)) return 'string';
    if (stream.match(/^(true|false|null|~)(?=\s|$|,|\]|\})/)) return 'bool';
    if (stream.match(/^-?\d+(\.\d+)?(?=\s|$|,|\]|\})/)) return 'number';
    if (stream.match(/^[^\s#,{}[\]]+/)) return 'string';
    stream.next();
    return null;
  },
});
