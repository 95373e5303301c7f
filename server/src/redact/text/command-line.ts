// Finds secrets in command lines: after flags whose names say so, and after the letters that some programs use.
import {isOpaque, isOpaqueSetting} from './opaque-value.ts';
import {isPublicValue, isRandomKey, isSecretName} from './secret-names.ts';
import {type HideSecret, isReference} from './secret-value.ts';

/** A flag and its value in a line of any number of words. */
const FLAG =
  /((?:^|[\s"'`([])--?)(?=[\w.-]{0,99}(?:pass|pwd|pw|secret|token|key|cred|auth|dsn|cookie|otp|pin|conn|encrypt|seed|value|pat|hmac|license|hash))([A-Za-z][\w.-]{0,99})(=|[ \t]+(?!-))("[^"]*"|'[^']*'|[^\s"'`]+)/gi;
const FLAG_ALONE = /(?:^|[\s"'])--?([A-Za-z][\w.-]{0,99})$/;

/** Programs that read a password from their input. */
const PASSWORD_READER =
  /--password-stdin|--pass(?:word|phrase)?-(?:stdin|fd)|--with-token|--stdin\b|\bsudo\s+(?:-\w+\s+)*-S\b|\bkinit\b|\bcryptsetup\b|\bpasswd\b|-pass(?:in|out)?\s+stdin/;

interface ProgramFlag {
  readonly program: RegExp;
  /** Captures what stays and the secret. */
  readonly flag: RegExp;
  /** The flag whose value is the next word, where the words are apart. */
  readonly alone?: RegExp;
}
/** Programs whose flags for passwords are letters, or that take the password by position. */
const PROGRAMS: readonly ProgramFlag[] = [
  {program: /\b(?:mysql|mariadb)/, flag: /((?:^|\s)-p)()([^\s-]\S*)/g},
  {program: /\bredis-(?:cli|benchmark)\b/, flag: /((?:^|\s)-a(\s+))(\S+)/g, alone: /^-a$/},
  {program: /\bsshpass\b/, flag: /((?:^|\s)-p(\s*))(\S+)/g, alone: /^-p$/},
  {program: /\bmongo(?:sh|dump|restore|export|import)?\b/, flag: /((?:^|\s)-p(\s+))(\S+)/g, alone: /^-p$/},
  {
    program: /\bldap(?:search|modify|add|delete|whoami|passwd)\b/,
    flag: /((?:^|\s)-[wy](\s+))(\S+)/g,
    alone: /^-[wy]$/,
  },
  {
    program: /\b[a-z]\w+ (?:(?:auth|registry) )?login\b|\baz\b/,
    flag: /((?:^|\s)-p(\s+))(?!\d{1,5}(?:\s|$))(\S+)/g,
    alone: /^-p$/,
  },
  {program: /\b(?:cqlsh|oc login|clickhouse-client)\b/, flag: /((?:^|\s)-p(\s+))(\S+)/g, alone: /^-p$/},
  {program: /\bsqlcmd\b|\bbcp\b/, flag: /((?:^|\s)-P(\s+))(\S+)/g, alone: /^-P$/},
  {program: /\bhtpasswd\b/, flag: /(\s-\w*b\w*\s+\S+(\s+)\S+\s+)(\S+)/g},
  {program: /\bopenssl\b/, flag: /(\bpass:()|\s-k\s+)(\S+)/g},
  {program: /\bsmb(?:client|map|get)\b|\brpcclient\b/, flag: /((?:^|\s)-U(\s+)[^\s%]+%)(\S+)/g},
  {program: /\brabbitmqctl\b/, flag: /((?:add_user|change_password)(\s+)\S+\s+)(\S+)/g},
  {program: /\b(?:wget|lftp|ncftp)\b/, flag: /((?:^|\s)--(?:http-|ftp-)?password(=|\s+))(\S+)/g},
  {program: /\bchpasswd\b/, flag: /((?:echo\s+["']?)()[\w.-]+:)([^\s"'|]+)/g},
  {program: /\bvault login\b/, flag: /(\bvault\s+login(\s+))([^\s=-][^\s=]{7,})(?=\s|$)/g, alone: /^login$/},
  {
    program: /\balias set\b|\bmc\b/,
    flag: /(\b(?:alias[ \t]+set|config[ \t]+host[ \t]+add)([ \t]+)\S+[ \t]+\S+[ \t]+\S+[ \t]+)(\S+)/g,
  },
  {
    program: /\b(?:un)?zip\b|\bipmitool\b|\bmosquitto_(?:pub|sub|rr)\b|\bisql\b/,
    flag: /((?:^|\s)-P(\s+))(\S+)/g,
    alone: /^-P$/,
  },
  {program: /\b7z[ar]?\b|\brar\b/, flag: /((?:^|\s)-p())([^\s-]\S*)/g},
  {program: /\bssh-keygen\b/, flag: /((?:^|\s)-[NP](\s+))(\S+)/g, alone: /^-[NP]$/},
  {
    program: /\bsnmp(?:walk|get|set|bulkwalk|bulkget|table)\b/,
    flag: /((?:^|\s)-[cAX](\s+))(\S+)/g,
    alone: /^-[cAX]$/,
  },
  {program: /\b(?:useradd|usermod|psexec|net use)\b/i, flag: /((?:^|\s)-p(\s+))(\S+)/g, alone: /^-p$/},
  {program: /\b(?:plink|pscp|psftp|putty)\b/, flag: /((?:^|\s)-pw(\s+))(\S+)/g},
  {program: /\blftp\b/, flag: /((?:^|\s)(?:-u|--user)(\s+)[^\s,]+,)(\S+)/g},
  {program: /\bxfreerdp\b|\brdesktop\b/, flag: /((?:^|\s)(?:\/p:()|-p\s+))(\S+)/g},
  {
    program: /\b(?:sqlplus|impdp|expdp|sqlldr|rman)\b/,
    flag: /((?:^|\s)[\w$#]{1,30}()\/)([^\s@/"']{2,})(?=@|\s|$)/g,
  },
  {program: /\bhttps?\s.{0,300}?\s-a\s|\bab\b/, flag: /((?:^|\s)-[aA](\s+)["']?[^\s:"']+:)([^\s"']+)/g},
  {
    program: PASSWORD_READER,
    flag: /(\b(?:echo|printf)(\s+)(?:-\w+\s+)?(?:['"]?%s(?:\\n)?['"]?\s+)?)("[^"|]+"|'[^'|]+'|[^\s|"'-][^\s|"']*)(?=\s*\|)/g,
  },
  {program: PASSWORD_READER, flag: /(<<<(\s*))("[^"\n]+"|'[^'\n]+'|\S+)/g},
  {
    program: /-command\b/,
    flag: /(--pass(?:word|phrase)-command(?:=|\s+)["']?(?:echo|printf)(\s+))([^\s"']+)/g,
  },
  {
    program: /\boperator\s+(?:unseal|rekey|generate-root)\b/,
    flag: /(\b(?:unseal|rekey|generate-root)(\s+)(?:-\S+\s+)*)([\w+/=]{20,})/g,
  },
  {program: /\bttyd\b/, flag: /((?:^|\s)-c(\s+)[^\s:]+:)(\S+)/g},
  {program: /\bset-agent-token\b/, flag: /(\bset-agent-token(\s+)\S+\s+)(\S+)/g},
  {
    program: /SecureString|\bkeyvault secret set\b/,
    flag: /((?:^|\s)--value(=|\s+))(\S+)/g,
    alone: /^--value$/,
  },
  {
    program: /-file(?:=|\s+)<\(/,
    flag: /(<\(\s*(?:echo|printf)(\s+)(?:-\w+\s+)?)("[^"\n]+"|'[^'\n]+'|[^\s"')]+)/g,
  },
  {program: /\bradtest\b/, flag: /(\bradtest(\s+)(?:-\w\s+\S+\s+)*\S+\s+)(\S+)/g},
  {
    // A user and then a password; a number is a port.
    program: /^(?![\s\S]*\b(?:mysql|mariadb))[\s\S]*\s-p\s/,
    flag: /(\s(?:-u|-n|-U|--user(?:name)?)[ =](?!\S+ mkdir)[^;&|\n]{0,200}?\s-p(\s+))(?![\d:]+(?:\s|$))(\S+)/g,
  },
  {program: /\bcurl\b/, flag: /((?:^|\s)(?:-b|--cookie)(\s+)["']?[\w.-]{1,64}=)([^\s"';]{8,})/g},
  {program: /http-basic\./, flag: /(\bhttp-basic\.\S+(\s+)\S+\s+)(\S+)/g},
  {program: /\bobscure\b/, flag: /(\brclone\s+obscure(\s+))(\S+)/g},
  {program: /\bqpdf\b/, flag: /(--encrypt(\s+))(\S+)/g},
  {program: /\bnet use\b/i, flag: /(\bnet\s+use\s+\S+(\s+)\S+\s+)([^\s/]\S*)(?=\s+\/user)/gi},
  {program: /\bnet use\b/i, flag: /(\/user:\S+(\s+))(\S+)/gi},
  {program: /\bexpect\b[\s\S]*assword/, flag: /(\bsend\s+(?:--\s+)?(["']))([^"'\n]+?)(?=\\r)/g},
  {
    program: /\bsed\b/,
    flag: /(\bs([/|#,])[^/|#,\n]{0,60}(?:PASS|SECRET|TOKEN|KEY|pass|secret|token)[^/|#,\n]{0,60}\2)([^/|#,\n]+)(?=\2)/g,
  },
  {program: /\bftp\b/, flag: /(^user()[ \t]+\S+[ \t]+)(\S+)$/gm},
  {program: /\bnc\b|\btelnet\b/, flag: /(\bAUTH(\s+))(\S+)/g},
];
/** One pass that finds out whether a command may name one of these programs. */
const MAY_BE_PROGRAM = new RegExp(PROGRAMS.map(({program}) => program.source).join('|'), 'i');
/** The password of `curl -u user:password`, which may be two words of a command. */
const USER =
  /((?:^|\s)(?:-u|--(?:[\w.-]{1,40}[.-])?user(?:name)?|-U)(?:=|\s*)["']?(?!\d+:\d+(?:\s|$))[^\s:"'<]*:["']?)(?!\$|redacted:|\/\/)([^\s"'>]+)/g;
/** `curl -u token:`, without a password. */
const USER_TOKEN =
  /((?:^|\s)(?:-u|--user)(?:=|\s*)["']?)(?=[^\s:"']*\d)([\w!+/=.~-]{10,})(?=:["']?(?:\s|$))/g;
const USER_ALONE = /(?:^|\s)(?:-u|--user|-U|--proxy-user)$/;
const USER_VALUE = /^(?!\d+:\d+$)([^\s:]+:)(?!\$|redacted:)(\S+)$/;

const hideBare = (value: string, hide: HideSecret) => {
  const quote = /^["']/.exec(value)?.[0] ?? '';
  return `${quote}${hide(bare(value))}${quote}`;
};
const bare = (value: string) => value.replace(/^["']|["']$/g, '');

/** `--tls-key FILE` in a help text. */
const PLACEHOLDER = /^[A-Z]{2,10}[`,.|)\]]*$/;
/** `Use --password to set the password.` */
const WORD_OF_SENTENCE =
  /^(?:to|is|are|for|and|or|in|on|the|a|an|flag|option|must|can|may|with|if|when|from|was|has|of|as|options?|flags?|arguments?|parameters?|values?|fields?)[.,;:]?$/;
function isSecretFlag(flag: string, value: string): boolean {
  // `-Ddb.password=x` of Java.
  const name = /^D[a-z]/.test(flag) ? flag.slice(1) : flag;
  return isSecretName(name, 'setting') || isRandomKey(name, value) || isOpaqueSetting(name, value, true);
}

/** Replaces secrets after flags, in a text that holds a whole command or a part of one. */
export function hideFlags(text: string, hide: HideSecret, line: string = text): string {
  if (!text.includes('-') && !MAY_BE_PROGRAM.test(line)) return text;
  let result = text.replace(FLAG, (all, dashes: string, flag: string, between: string, value: string) => {
    if (
      PLACEHOLDER.test(value) ||
      WORD_OF_SENTENCE.test(value) ||
      !isSecretFlag(flag, bare(value)) ||
      isReference(bare(value)) ||
      isPublicValue(flag, bare(value))
    )
      return all;
    const quote = /^["']/.exec(value)?.[0] ?? '';
    return `${dashes}${flag}${between}${quote}${hide(bare(value))}${quote}`;
  });
  const hideUnlessReference = (all: string, before: string, secret: string) =>
    isReference(secret) ? all : `${before}${hide(secret)}`;
  result = result.replace(USER, hideUnlessReference).replace(USER_TOKEN, hideUnlessReference);
  return hideProgramFlags(result, hide, line);
}

function hideProgramFlags(text: string, hide: HideSecret, line: string): string {
  if (!MAY_BE_PROGRAM.test(line)) return text;
  let result = text;
  for (const {program, flag} of PROGRAMS)
    if (program.test(line))
      result = result.replace(flag, (all, before: string, _: string, secret: string) =>
        isReference(bare(secret)) || secret.startsWith('-') ? all : `${before}${hideBare(secret, hide)}`,
      );
  return result;
}

/** Where secrets stand in a command whose words are apart, as in `htpasswd -b file user secret`. */
export function secretPlaces(line: string): {from: number; to: number}[] {
  if (!MAY_BE_PROGRAM.test(line)) return [];
  return PROGRAMS.filter(({program}) => program.test(line)).flatMap(({flag}) =>
    [...line.matchAll(flag)].flatMap(({index, 1: before = '', 3: secret = ''}) => {
      const from = index + before.length;
      const isPublic = isReference(bare(secret)) || secret.startsWith('-');
      return isPublic ? [] : [{from, to: from + secret.length}];
    }),
  );
}

/**
 * Replaces the words of a command that follow a flag in the word before them. Gives undefined for a word that the flags before it say
 * nothing about.
 */
export function hideWord(word: string, before: string, line: string, hide: HideSecret): string | undefined {
  if (isReference(word) || word.startsWith('-')) return undefined;
  if (/^["']?(?:bearer|basic|token)$/i.test(before) && /^[\w.~+/=-]{16,}["']?$/.test(word))
    return hideBare(word, hide);
  const header = /^["']?([A-Za-z][\w-]{1,60}):$/.exec(before)?.[1];
  if (header !== undefined && isSecretName(header, 'setting') && !/^(?:bearer|basic|token)$/i.test(word))
    return hideBare(word, hide);
  const flag = FLAG_ALONE.exec(before)?.[1];
  if (flag !== undefined && isSecretFlag(flag, word))
    return isPublicValue(flag, word) ? undefined : hide(word);
  // `reset-admin-password x` is a command with a value; a value of letters alone may be the next command.
  if (
    /[a-z](?:[_-]?[A-Z]|[_-][a-z])/.test(before) &&
    !before.startsWith('-') &&
    /\d/.test(word) &&
    isSecretName(before, 'field')
  )
    return hide(word);
  if (/^(?:auth|login|authtoken|add-authtoken)$/.test(before) && isOpaque(word)) return hide(word);
  if (USER_ALONE.test(before))
    return word.replace(USER_VALUE, (_, user: string, secret: string) => `${user}${hide(secret)}`);
  for (const {program, alone} of PROGRAMS) if (alone?.test(before) && program.test(line)) return hide(word);
  return undefined;
}
