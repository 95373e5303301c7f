// Finds secrets in source code of programs: calls with a name and a value, setters, typed declarations, values after an operator.
import {isSecretInText} from './assigned-value.ts';
import {isRandom} from './character-classes.ts';
import {isOpaque} from './opaque-value.ts';
import {nameWords} from './secret-names.ts';
import {type HideSecret, isCode, isLabel, isReference} from './secret-value.ts';

/** A name may hold a secret only with one of these in it. */
const HINT =
  '(?=[\\w./-]{0,99}(?:pass|pwd|pw|secret|token|key|cred|auth|dsn|cookie|mnemonic|otp|pin|psk|salt|conn))';
const STRING = '("(?:[^"\\\\\\n]|\\\\.){1,4000}"|\'(?:[^\'\\\\\\n]|\\\\.){1,4000}\'|`[^`\\n]{1,4000}`)';

/** `getenv("DB_PASSWORD", "x")`, `set :db_password, "x"`, `("password", "x")`. */
const CALL = new RegExp(
  `(\\(\\s*["']${HINT}([\\w./-]{1,100})["']\\s*,\\s*|[\\s(]:${HINT}([a-z]\\w{1,60}),\\s*)${STRING}(?=\\s*(?:[)\\n]|$|,\\s*(?:[^"'\\s]|["'][^"'\\n]* )))`,
  'gi',
);
/** `setPassword("x")`, `.withPassword("x")`, `.password("x")`. */
const SETTER = new RegExp(
  `((?<![\\w])(?:\\.|(?:\\w{1,60}\\.)?(?:set|with|use|add)_?)${HINT}([A-Za-z]\\w{1,60})\\(\\s*)${STRING}(?=\\s*\\))`,
  'gi',
);
/** `password: str = "x"`, `val password: String = "x"`, `var password string = "x"`, `let password: &'static str = "x"`. */
const TYPED = new RegExp(
  `((?<![\\w.-])${HINT}([A-Za-z_]\\w{0,99})(?:[ \\t]*:[ \\t]*&?(?:'\\w{1,20} )?[A-Za-z][\\w.<>[\\]]{0,40}\\??|\\[\\]|[ \\t]+(?:string|str|text|char|byte)|\\[\\d{0,4}\\])[ \\t]*=[ \\t]*)${STRING}`,
  'gi',
);
/** `process.env.PASSWORD || "x"`, `os.environ["PASSWORD"] or "x"`, `password <- "x"`, `password:: "x"`, `"password" to "x"`. */
const OPERATOR = new RegExp(
  `((?<![\\w-])${HINT}([A-Za-z_][\\w./-]{0,99})["']?[\\])]{0,2}[ \\t]*(?:\\|\\|=?|\\?\\?=?|\\?:|<-|::|:::|->|,?[ \\t](?:or|to|eq)[ \\t])[ \\t]*)${STRING}`,
  'gi',
);
/** `$http_x_token != "x"`: a comparison with a random text. */
const COMPARED = new RegExp(
  `((?<![\\w-])${HINT}([A-Za-z_][\\w.]{0,99})[ \\t]*(?:[!=]==?|eq|ne)[ \\t]*)${STRING}`,
  'gi',
);
/** `#define DB_PASSWORD "x"`, `config.api_key "x"`, `(setq api-key "x")`: a name of more than one word, then a text. */
const SPACED = new RegExp(
  `((?:^|[\\s(])(?:[\\w]{1,40}[.:])?${HINT}([A-Za-z_][\\w.-]{2,99})[ \\t]+)("[^"\\n]{1,4000}"|'[^'\\n]{1,4000}')(?![ \\t]*[{:=])`,
  'gim',
);

const bare = (text: string) => text.slice(1, -1);

/** `new SymmetricSecurityKey(Encoding.UTF8.GetBytes("x"))`, `createHmac("sha256", "x")`: a random text in a call of cryptography. */
const CRYPTO_CALL = new RegExp(
  `(\\b\\w{0,40}(?:hmac\\w{0,20}|SecurityKey|SecretKeySpec|Fernet|Cipher\\w{0,20}|hmacShaKeyFor|jwt\\.(?:sign|verify|encode|decode))\\((?:[^"'\\n]{0,100}|[^()\\n]{0,100},\\s*))${STRING}`,
  'gi',
);

/** `secret = String::from("x")`, `token: SecretStr("x")`: a text in a constructor. */
const WRAPPED = new RegExp(
  `((?<![\\w.-])["']?${HINT}([A-Za-z_][\\w.-]{0,99})["']?[ \\t]*(?:=>|:=|=|:)[ \\t]*(?:new )?((?:\\[\\])?[A-Za-z_][\\w.:]{1,40})\\(\\s*)${STRING}`,
  'gi',
);
/** Functions that take the name of a secret and give its value, or take a message. */
const READS =
  /get|env|read|load|find|conf|param|input|require|import|fetch|lookup|query|select|prop|header|cookie|field|column|error|format|printf|prompt|path|file|key$|^t$|^_$|i18n|trans|req|arg|opt|flag|data|var|ref|resolve|secrets?$|describe|label|text$|match|test|replace|split|contains|parse(?!url)/i;

/** A name of one word, such as `token`, may name anything: then the value must have a digit or a capital inside. */
function isValueOf(name: string, value: string): boolean {
  if (isReference(value) || isLabel(value) || value.startsWith('redacted:')) return false;
  if (nameWords(name).length > 1 || /pass/i.test(name)) return true;
  return /\d|[a-z][A-Z]|[^\w\s.:/-]/.test(value);
}

/** Replaces secrets that the syntax of a programming language ties to a name. */
export function hideCode(text: string, hide: HideSecret): string {
  const hideNamed = (all: string, before: string, name: string, value: string) => {
    const inside = bare(value);
    return isSecretInText(name, inside) && isValueOf(name, inside)
      ? `${before}${value.charAt(0)}${hide(inside)}${value.charAt(0)}`
      : all;
  };
  let result = text;
  if (!/["'`]/.test(result)) return result;
  if (result.includes(','))
    result = result.replace(CALL, (all, before: string, name = '', symbol = '', value = '') =>
      hideNamed(all, before, name || symbol, value),
    );
  if (result.includes('(')) result = result.replace(SETTER, hideNamed);
  if (/hmac|securitykey|secretkeyspec|fernet|cipher|jwt\./i.test(result))
    result = result.replace(CRYPTO_CALL, (all, before: string, value: string) =>
      isRandom(bare(value)) || isOpaque(bare(value))
        ? `${before}${value.charAt(0)}${hide(bare(value))}${value.charAt(0)}`
        : all,
    );
  if (result.includes('('))
    result = result.replace(WRAPPED, (all, before: string, name: string, wrapper: string, value: string) =>
      READS.test(wrapper) || !/\d|[^\w\s.-]/.test(bare(value)) ? all : hideNamed(all, before, name, value),
    );
  if (result.includes('=')) result = result.replace(TYPED, hideNamed);
  if (/\|\||\?\?|\?:|<-|::|->| or | to | eq /.test(result)) result = result.replace(OPERATOR, hideNamed);
  if (/[!=]=|eq|ne/.test(result))
    result = result.replace(COMPARED, (all, before: string, name: string, value: string) =>
      isRandom(bare(value)) || isOpaque(bare(value)) ? hideNamed(all, before, name, value) : all,
    );
  return result.replace(SPACED, (all, before: string, name: string, value: string) =>
    nameWords(name).length > 1 && !isCode(bare(value)) && !/\s/.test(bare(value))
      ? hideNamed(all, before, name, value)
      : all,
  );
}
