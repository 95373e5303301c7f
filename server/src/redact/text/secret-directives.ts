// Finds secrets that follow a word without any separator, as in configuration languages, and by their place in a line.
import {hideValue} from './assigned-value.ts';
import {changesOfClass, isRandom} from './character-classes.ts';
import {hideColumns} from './secret-columns.ts';
import {isSecretName} from './secret-names.ts';
import {type HideSecret, isProse, isReference} from './secret-value.ts';

const VALUE = `("[^"\\n]+"|'[^'\\n]+'|(?!--)[^\\s"';,:=(){}|&<>?[][^\\s"';,:=(){}]*)`;
/** Words of configuration languages that take the secret as their next word. */
const DIRECTIVE = new RegExp(
  `((?:^|[\\s(])(?:requirepass|masterauth|sentinel[ \\t]+auth-pass[ \\t]+\\S+|user[ \\t]+\\S+[ \\t]+identified[ \\t]+(?:with[ \\t]+\\S+[ \\t]+)?by|identified[ \\t]+(?:with[ \\t]+\\S+[ \\t]+)?by(?=[ \\t]+["'])|bindpw|rootpw(?:[ \\t]+--?\\w+)*|neighbor[ \\t]+\\S+[ \\t]+password|enable[ \\t]+secret|snmp-server[ \\t]+community|r[ow]community6?|secret_key_base)[ \\t]+(?:[0-9][ \\t]+)?)${VALUE}`,
  'gim',
);
/** A header that a proxy sets. */
const SET_HEADER =
  /(\b(?:set[ \t]+\$|proxy_set_header[ \t]+|(?:fastcgi_param|uwsgi_param|add_header|more_set_(?:input_)?headers|RequestHeader[ \t]+(?:set|add)|(?:set|add)-header|header_up|SetEnv|env(?=[ \t]+["']?[A-Z_]{3}))[ \t]+)["']?([A-Za-z][\w-]{1,60})["']?(?:[ \t]*:[ \t]*|[ \t]+))("[^"\n]+"|'[^'\n]+'|[^\s"';]+)/gi;
/** `password x`, and names that end so, as `remote_password x`. Such a word may also stand in a sentence. */
const PASSWORD_WORD = new RegExp(
  `((?:^|[\\s({])(?:[\\w.-]{0,60}[_.-])?(?:password|passwd|passphrase|authtok|pass|psk)[ \\t]+(?:[0-9][ \\t]+)?)${VALUE}`,
  'gim',
);
/** `the password is x`. The value must look like one. */
const SENTENCE =
  /(\b(?:password|passwd|passphrase|pwd|api[ _-]?key|secret[ _-]?key|(?:access|auth|bearer|api)[ _-]?token)[ \t]+(?:(?:of|for|in|on|at)[ \t]+[\w.@-]{1,40}[ \t]+)?(?:is|was|are|will be|set to|now)[ \t:]+["'`]?)((?=\S*\d)(?=\S*[A-Za-z])[^\s"'`]{6,}[^\s"'`.,;:!?)])/gi;
/** `a password is generated for root@localhost: x`. What follows the colon must look random. */
const LOOKS_CHOSEN = /^(?=.*[a-z])(?=.*[A-Z\d])(?=.*[A-Z!#$%&*^~])/;
const ANNOUNCEMENT =
  /(\b(?:password|passwd|passphrase|token|secret|api[ _-]?key)[ \t(][^\n:="']{1,60}(?<!redacted|sha\d{1,3}|md5):[ \t]*["'`]?)([\w+/=!#$%&*^~-]{8,64})(?=["'`.)]?(?:\s|$))/gi;
/** `PASS - x`, and `Login: admin / x`. */
const DASHED =
  /(\b(?:password|passwd|pass|pwd|pw)[ \t]+-[ \t]+(?:\w{1,32}\/)?|\b(?:admin|root|administrator)[ \t]+\/[ \t]+)((?=\S*\d)(?=\S*[A-Z])(?=\S*[a-z])[^\s"'`/]{6,64})(?=\s|$)/gi;
/** `SET PASSWORD FOR 'a'@'%' = 'x'`. */
const SET_PASSWORD =
  /(\bSET[ \t]+PASSWORD[ \t]+(?:FOR[ \t]+\S{1,100}[ \t]*)?=[ \t]*(?:PASSWORD\()?)('[^'\n]+'|"[^"\n]+")/gi;
/** `LoginModule required user_alice="x"` of Kafka and ZooKeeper. */
const MODULE_USER = /(\buser_[\w-]{1,60}=)("[^"\n]+")/g;
/** `*.example.com:user:password` of Exim. */
const EXIM_CLIENT = /^(\*[\w.*-]{0,100}:[\w.@-]{1,64}:)(\S{3,})$/gm;
/** `secret "x"` and `add-authtoken x`. Such words mostly name an object, so the value must look random. */
const SECRET_WORD =
  /((?:^|[\s({])((?:[A-Za-z][\w.-]{0,60})?(?:secret|token|key))[ \t]+["']?)([\w+/=-]{16,})/gim;
/** `db.api_key x` as a whole line: a name of more than one word. */
const SPACED_LINE =
  /^([ \t]*(?=[\w.-]{0,99}(?:[Pp]ass|[Pp]wd|[Ss]ecret|[Tt]oken|[Kk]ey|[Cc]red|[Aa]uth))([A-Za-z]\w*(?:[._-]\w+|[a-z][A-Z]\w*)[\w.-]{0,60})[ \t]+)((?=[^\s]*\d)(?=[^\s]*[A-Za-z])[^\s"':=,;(){}[\]]{6,})(?=[ \t]*;?[ \t]*$)/gm;
/** `ConvertTo-SecureString "x"` of PowerShell. */
const SECURE_STRING = /(ConvertTo-SecureString[ \t]+(?:-String[ \t]+)?["'])([^"'\n]+)/gi;
/** `root:x`, a line of a list for chpasswd. */
const USER_LINE = /^([ \t]*(?:-[ \t]+)?["']?[\w.-]{1,32}:)([^\s:"'|>]{3,})(?=["']?[ \t]*$)/gm;
const NETRC = /(\bmachine\s+\S+\s+(?:login\s+\S+\s+)?password\s+)(\S+)/g;
/** `auth user:password`, `login=user:password`. A port is not a password, and `user system:node:a` has none. */
const AUTH_PAIR =
  /(\b(auth|credentials?|login|user|userpwd|user[._]?info)(?:[ \t]+(?:add[ \t]+)?|[ \t]*[=:][ \t]*)["']?(?!system:|https?:|redacted:)[\w.@-]{1,64}:)(?!\d{1,5}\b|\/\/)((?:(?=[\w+/=]{40})[\w+/=]+|[^\s"':/,]{3,}))(?=["'\s;,]|$)/gi;
/** `SetBasicAuth("user", "password")`: the last text of a call that takes credentials. */
const CREDENTIALS_CALL =
  /(\b(?:getConnection|(?!load|get|find|read|new)\w*(?:credentials?|basic_?auth|login|connect|createConnection|authenticate|(?<=\.)auth|(?:set|change|update|reset)\w*password|mysqli|PDO|auth\s*=\s*))\((?:[^()\n]{0,200},)\s*["'])([^"'\n]{3,})(?=["']\s*\))/gi;
/** `smtp.PlainAuth("", user, password, host)`. */
const PLAIN_AUTH = /(\b(?:PlainAuth|Sequelize)\([^,\n]{0,100},[^,\n]{0,100},\s*["'])([^"'\n]{3,})(?=["'])/g;
/** `jwt.sign(payload, "x")`. */
const SIGN_CALL = /(\bjwt\.(?:sign|verify|encode|decode)\([^,\n]{1,100},\s*["'])([^"'\n]{3,})(?=["'])/gi;
/** `user-secrets set "Db:Password" "x"`. */
const NAMED_PAIR = /((["'])(?:[\w.-]{1,60}:){0,5}([\w.-]{1,60})\2[ \t]+)("[^"\n]{4,}"|'[^'\n]{4,}')/g;
/** `kv put app/password x`: a path whose last name is secret, then the value. */
const PUT =
  /(\b(?:put|set|add|write|store)[ \t]+(?:--?\S+[ \t]+)*["']?(?:[\w.-]{1,60}\/){1,10}([\w.-]{1,60})["']?[ \t]+["']?)([^\s"'=-][^\s"'=]{3,})/g;
/** `static:user:password` of Postfix. */
const STATIC_PAIR = /(\bstatic:[\w.@-]{1,64}:)(\S{3,})/g;
/** `user alice on >password` of Redis. */
const REDIS_USER =
  /(\b(?:user|setuser)[ \t]+\S{1,64}[ \t](?:[^\n>]{0,100}?[ \t])?>)([^\s>"',;<]{1,200})(?=[^\n]{0,50}[~&+]|[ \t]{0,9}$)/gim;
/** `:password "x"` and `(def api-key "x")` of Clojure. */
const KEYWORD_PAIR = /((?<![\w"']):([a-z][\w-]{1,60})[ \t]+|\(def[ \t]+([\w-]{1,60})[ \t]+)("[^"\n]+")/gi;
/** `variable "db_password" { default = "x" }` of Terraform. */
const VARIABLE_DEFAULT =
  /(\bvariable[ \t]+"([\w-]{1,100})"[ \t]*\{[^{}]{0,500}?\bdefault[ \t]*=[ \t]*)("[^"\n]+")/g;
/** `AUTH x`, as Redis logs its commands, and `log in with admin / x`. */
const SAID =
  /(\bAUTH[ \t]+(?:default[ \t]+)?["']?|\b[Ll]og(?:ged)?[ -]?in[ \t]+[^\n]{0,20}?\bwith[ \t]+\S{1,64}[ \t]*\/[ \t]*["']?)((?=[^\s"']*\d)[^\s"'.,;]{6,})/g;
/** `hmac-sha256:name:secret` of DNS, and an access key with its secret, as s3fs reads them. */
const KEY_LINE =
  /((?:\bhmac-(?:sha\d+|md5):[\w.-]{1,100}:|(?<!\w)(?:AKIA\w{16}|redacted:[\da-f]{8}):))([\w+/=]{16,})/g;
/** `private key 0x…` of a wallet. */
const WALLET_KEY = /(\bprivate[ _-]?key\W{1,5}(?:0x)?)([\da-f]{64})(?![\da-f])/gi;
/** `;Pwd={x};` of ODBC. */
const ODBC_PASSWORD = /(;[ \t]*(?:pwd|password)=\{)([^{}\s]+)(?=\})/gi;
/** host:port:database:user:password. */
const PGPASS =
  /(?:^|(?<=["']))(?!(?:[\da-f]{0,4}:)+[\da-f]{0,4}(?=["']|$))([\w.*-]+:(?:\d{1,5}|\*):[^:\s]+:[^:\s]+:)([^\s"']+)(?=["']|$)/gim;
/** `"user" "password"` of PgBouncer. */
const QUOTED_PAIR = /^("[\w.@-]{1,64}"[ \t]+")([^"\s]{6,})(?="[ \t]*$)/gm;

export function hideDirectives(text: string, hide: HideSecret): string {
  const hideSecond = (all: string, before: string, value: string) =>
    isReference(value) ? all : `${before}${hide(value)}`;
  return text
    .replace(NETRC, (_, before: string, value: string) => `${before}${hide(value)}`)
    .replace(DIRECTIVE, (_, before: string, value: string) => `${before}${hideValue(value, hide)}`)
    .replace(SET_HEADER, (all, before: string, name: string, value: string) =>
      isSecretName(name, 'setting') && !/^["']?(?:bearer|basic)\b/i.test(value)
        ? `${before}${hideValue(value, hide)}`
        : all,
    )
    .replace(PASSWORD_WORD, (all, before: string, value: string, at: number, whole: string) => {
      const rest = whole.slice(at + all.length, at + all.length + 20);
      // "password must not be empty" is a sentence, "password hunter2" is a setting.
      const isQuoted = value.charAt(0) === "'" || value.charAt(0) === '"';
      if (!isQuoted && (/^[a-z]+(?:[-/][a-z]+)*[-.:`?!]?$/i.test(value) || isProse(value, rest))) return all;
      // `pass --x` and `pass the-value` are what a reader is told to do.
      if (/^\s*\(?\{?pass\s/i.test(before) && !/\d/.test(value)) return all;
      if (/^`[^`]*$/.test(value) && !/^`[^`]*\d/.test(value)) return all;
      return `${before}${hideValue(value, hide)}`;
    })
    .replace(SECRET_WORD, (all, before: string, name: string, value: string) =>
      isSecretName(name, 'setting') && isRandom(value) ? `${before}${hide(value)}` : all,
    )
    .replace(SPACED_LINE, (all, before: string, name: string, value: string) =>
      isSecretName(name, 'field') ? `${before}${hideValue(value, hide)}` : all,
    )
    .replace(SENTENCE, hideSecond)
    .replace(DASHED, hideSecond)
    .replace(ANNOUNCEMENT, (all, before: string, value: string) =>
      changesOfClass(value) >= (/\d/.test(value) ? 0.3 : 0.4) &&
      LOOKS_CHOSEN.test(value) &&
      !isReference(value)
        ? `${before}${hide(value)}`
        : all,
    )
    .replace(SET_PASSWORD, (_, before: string, value: string) => `${before}${hideValue(value, hide)}`)
    .replace(MODULE_USER, (all, before: string, value: string, _at: number, whole: string) =>
      whole.includes('LoginModule') ? `${before}${hideValue(value, hide)}` : all,
    )
    .replace(SAID, hideSecond)
    .replace(KEYWORD_PAIR, (all, before: string, keyword = '', defined = '', value = '') =>
      isSecretName(keyword || defined, 'setting') ? `${before}${hideValue(value, hide)}` : all,
    )
    .replace(VARIABLE_DEFAULT, (all, before: string, name: string, value: string) =>
      isSecretName(name, 'setting') ? `${before}${hideValue(value, hide)}` : all,
    )
    .replace(CREDENTIALS_CALL, hideSecond)
    .replace(PLAIN_AUTH, hideSecond)
    .replace(SIGN_CALL, hideSecond)
    .replace(NAMED_PAIR, (all, before: string, _quote: string, name: string, value: string) =>
      isSecretName(name, 'field') ? `${before}${hideValue(value, hide)}` : all,
    )
    .replace(STATIC_PAIR, hideSecond)
    .replace(PUT, (all, before: string, name: string, value: string) =>
      isSecretName(name, 'setting') && !isReference(value) ? `${before}${hide(value)}` : all,
    )
    .replace(AUTH_PAIR, (all, before: string, word: string, value: string) =>
      isReference(value) || (/^(?:user|login)$/i.test(word) && /^[a-z]+$/.test(value))
        ? all
        : `${before}${hide(value)}`,
    );
}

/** Lines whose place alone says what is a secret. */
export function hidePositions(text: string, hide: HideSecret): string {
  const hideSecond = (all: string, before: string, value: string) =>
    isReference(value) ? all : `${before}${hide(value)}`;
  let result = text.includes('\n') ? hideColumns(text, hide) : text;
  if (result.includes(':')) result = result.replace(PGPASS, hideSecond);
  if (result.includes('*') && result.includes(':')) result = result.replace(EXIM_CLIENT, hideSecond);
  if (/hmac-|redacted:[\da-f]{8}:/.test(result)) result = result.replace(KEY_LINE, hideSecond);
  if (/private/i.test(result)) result = result.replace(WALLET_KEY, hideSecond);
  if (result.includes('SecureString')) result = result.replace(SECURE_STRING, hideSecond);
  if (result.includes('={')) result = result.replace(ODBC_PASSWORD, hideSecond);
  if (result.includes('chpasswd')) result = result.replace(USER_LINE, hideSecond);
  if (result.includes('>')) result = result.replace(REDIS_USER, hideSecond);
  return result.includes('" "') ? result.replace(QUOTED_PAIR, hideSecond) : result;
}
