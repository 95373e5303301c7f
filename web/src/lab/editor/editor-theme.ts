// The editor's colours. They are the page's tokens, so that dark and light need only one theme.
import {HighlightStyle, syntaxHighlighting} from '@codemirror/language';
import {EditorView} from '@codemirror/view';
import {tags} from '@lezer/highlight';

const highlight = HighlightStyle.define([
  {tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--syn-key)'},
  {tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--syn-fn)'},
  {tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--syn-str)'},
  {tag: [tags.number, tags.bool, tags.null], color: 'var(--syn-num)'},
  {tag: [tags.typeName, tags.className, tags.namespace], color: 'var(--syn-type)'},
  {tag: [tags.comment, tags.docComment], color: 'var(--syn-com)', fontStyle: 'italic'},
]);

const theme = EditorView.theme({
  '&': {height: '100%', backgroundColor: 'var(--bg-0)', color: 'var(--tx-1)', fontSize: '13px'},
  '&.cm-focused': {outline: 'none'},
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontFeatureSettings: '"calt" 0, "liga" 0',
    lineHeight: '20px',
    scrollbarWidth: 'thin',
    scrollbarColor: 'var(--bg-4) transparent',
  },
  '.cm-content': {padding: '8px 0', caretColor: 'var(--tx-1)'},
  '.cm-cursor': {borderLeftColor: 'var(--tx-1)', borderLeftWidth: '2px'},
  '.cm-line': {padding: '0 12px'},
  '.cm-gutters': {backgroundColor: 'var(--bg-0)', color: 'var(--tx-3)', border: 'none'},
  '.cm-lineNumbers .cm-gutterElement': {minWidth: '28px', padding: '0 6px 0 8px', fontSize: '12px'},
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--ink) 5%, var(--bg-0))',
    color: 'inherit',
  },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--cause) 26%, transparent) !important',
  },
  '.cm-matchingBracket': {backgroundColor: 'var(--bg-4)', color: 'inherit'},
  '.cm-nonmatchingBracket': {color: 'var(--error)'},
  '.cm-tooltip': {
    zIndex: 60,
    maxWidth: 'min(560px, 90vw)',
    border: 'none',
    borderRadius: 'var(--r-4)',
    backgroundColor: 'var(--bg-2)',
    color: 'var(--tx-1)',
    boxShadow: 'var(--sh-2)',
    fontFamily: 'var(--font-ui)',
    fontSize: '12px',
    lineHeight: '18px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    maxHeight: '220px',
    minWidth: '260px',
    scrollbarWidth: 'thin',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {padding: '2px 8px', lineHeight: '20px'},
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--bg-4)',
    color: 'var(--tx-1)',
  },
  '.cm-completionMatchedText': {textDecoration: 'none', fontWeight: '700'},
  '.cm-completionDetail': {color: 'var(--tx-3)', fontStyle: 'normal', marginLeft: '12px'},
  '.cm-completionInfo': {padding: '8px 10px', maxWidth: '380px'},
  '.cm-completionIcon': {display: 'none'},
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--error-fill) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--changed-fill) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-diagnostic': {padding: '6px 10px', borderLeft: 'none', whiteSpace: 'pre-wrap'},
  '.cm-diagnostic-error': {borderLeft: '3px solid var(--error-fill)'},
  '.cm-diagnostic-warning': {borderLeft: '3px solid var(--changed-fill)'},
  '.cm-gutter-lint': {width: '14px'},
  '.cm-lint-marker': {width: '10px', height: '10px', content: '""', margin: '5px 2px'},
  '.cm-lint-marker-error': {
    width: '8px',
    height: '8px',
    background: 'var(--error-fill)',
    transform: 'rotate(45deg)',
  },
  '.cm-lint-marker-warning': {
    background: 'var(--changed-fill)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-panels': {backgroundColor: 'var(--bg-2)', color: 'var(--tx-1)', borderColor: 'var(--line-2)'},
  '.cm-panels input, .cm-panels button': {
    font: '400 12px/18px var(--font-ui)',
    background: 'var(--bg-1)',
    color: 'var(--tx-1)',
    border: '1px solid var(--line-2)',
    borderRadius: 'var(--r-2)',
    backgroundImage: 'none',
  },
  '.cm-placeholder': {color: 'var(--tx-3)'},
  '.type-tooltip': {padding: '8px 10px'},
  '.type-tooltip-code': {
    margin: '0',
    fontFamily: 'var(--font-mono)',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    maxHeight: '180px',
    overflow: 'auto',
  },
  '.type-tooltip-words': {margin: '4px 0 0', color: 'var(--tx-2)'},
  '.site': {
    float: 'right',
    display: 'inline-flex',
    alignItems: 'center',
    gap: '6px',
    marginLeft: '24px',
    color: 'var(--tx-3)',
    font: '400 11px/18px var(--font-ui)',
    userSelect: 'none',
  },
  '.site-count': {
    padding: '0 6px',
    borderRadius: 'var(--r-2)',
    backgroundColor: 'var(--bg-3)',
    color: 'var(--tx-1)',
    fontFamily: 'var(--font-mono)',
  },
  '.site-error': {color: 'var(--error)'},
  '.site-warning': {color: 'var(--changed)'},
  '.line-stepped': {
    backgroundColor: 'color-mix(in srgb, var(--draft) 16%, transparent)',
    boxShadow: 'inset 3px 0 0 var(--draft)',
  },
});

export const editorTheme = [theme, syntaxHighlighting(highlight)];
