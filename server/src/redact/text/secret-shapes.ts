// Secrets that show by their own shape, wherever they stand: private keys, tokens with a known prefix, password hashes.

/** From BEGIN to END, or to the end of the text if the key is cut off. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/g;
/** The first line alone, as in a program that reads keys. */
const MARKER = /^-----BEGIN [A-Z0-9 ]*-----\\{0,2}["'`]/;
const STATIC_KEY =
  /-----BEGIN OpenVPN Static key V\d-----[\s\S]*?(?:-----END OpenVPN Static key V\d-----|$)/g;
const PUTTY_KEY = /Private-Lines: \d+[\s\S]*?(?=Private-MAC|$)/g;

/** Prefixes that issuers document, each with what follows it. */
export const PREFIXED: readonly string[] = [
  // Cloud providers.
  '(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}',
  'AIza[\\w-]{35}',
  'ya29\\.[\\w-]{20,}',
  'GOCSPX-[\\w-]{20,}',
  '1//0[\\w-]{30,}',
  'LTAI[A-Za-z0-9]{17,21}',
  'AKID[A-Za-z0-9]{32}',
  'do[opr]_v1_[0-9a-f]{64}',
  '[\\w~.-]{3}8Q~[\\w~.-]{31,34}',
  'HRKU-[\\w-]{30,}',
  'fo1_[\\w-]{30,}',
  'fm[12][ar]?_[\\w+/=-]{40,}',
  'v1\\.0-[0-9a-f]{24}-[0-9a-f]{100,}',
  // Forges and package registries.
  'gh[opsur]_[A-Za-z0-9]{20,}',
  'github_pat_\\w{20,}',
  'gl(?:pat|dt|rt|rtr|ptt|cbt|agent|soat|imt|ft|ffct|oas|wt)-[\\w.-]{20,}',
  'GR1348941[\\w-]{20}',
  'ATATT3[\\w=-]{40,}',
  'ATCTT3[\\w=-]{40,}',
  'ATBB[A-Za-z0-9]{28,}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-[\\w-]{50,}',
  'rubygems_[0-9a-f]{48}',
  'dckr_[op]at_[\\w-]{20,}',
  'AKCp[A-Za-z0-9]{50,}',
  'cio[A-Za-z0-9]{32}',

  // Payment, mail, chat, monitoring.
  '(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,}',
  'whsec_[\\w+/=]{20,}',
  'rzp_(?:live|test)_[A-Za-z0-9]{10,}',
  'sq0(?:atp|csp|idp)-[\\w-]{22,}',
  'FLWSECK(?:_TEST)?-[\\w-]{12,}',
  'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'key-[0-9a-f]{32}',
  '[0-9a-f]{32}-us\\d{1,2}',
  'SK[0-9a-f]{32}',
  'xox[abeoprs]-[\\w-]{10,}',
  'xapp-\\d-[\\w-]{20,}',
  '\\d{8,10}:A[\\w-]{34}',
  'NR(?:AK|II|JS|RA|SP)-[\\w-]{20,}',
  'glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}',
  'glc_[A-Za-z0-9+/=]{32,}',
  'sntry[su]_[\\w+/=-]{30,}',
  'dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{40,}',
  'figd_[\\w-]{20,}',
  'lin_api_[A-Za-z0-9]{32,}',
  'ntn_[A-Za-z0-9]{40,}',
  'secret_[A-Za-z0-9]{43}',
  'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
  'tfp_[\\w.=-]{40,}',
  // Infrastructure.
  'hv[sbr]\\.[\\w-]{20,}',
  '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{40,}',
  'tskey-[\\w-]{10,}',
  'pul-[0-9a-f]{40}',
  'dapi[0-9a-f]{32}(?:-\\d)?',
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{30,}',
  'pscale_(?:tkn|oauth|pw)_[\\w.=-]{32,}',
  'sbp_[0-9a-f]{40}',
  'CFPAT-[\\w-]{40,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{40,}',
  'ops_eyJ[\\w-]{40,}',
  'nvapi-[\\w-]{30,}',
  'EZ[AT]K[A-Za-z0-9]{40,}',
  // Model providers.
  'sk-ant-[\\w-]{20,}',
  'sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,}',
  'hf_[A-Za-z0-9]{30,}',
  'r8_[A-Za-z0-9]{30,}',
  'gsk_[A-Za-z0-9]{40,}',
  'pplx-[A-Za-z0-9]{40,}',
  // Classes that gitleaks, trufflehog and detect-secrets publish.
  'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  'p8e-[a-z0-9]{32}',
  'cmVmd[A-Za-z0-9]{59}',
  'AP6[A-Za-z0-9]{30,}',
  '(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[\\w+/=-]{30,}',
  '4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])',
  'CLOJARS_[A-Za-z0-9]{60}',
  'duffel_(?:test|live)_[\\w=-]{43}',
  'EAA[ACM][\\w+=-]{56,}',
  'fio-u-[\\w=-]{64}',
  '[ps]at\\.[\\w-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}',
  'api_org_[A-Za-z]{34}',
  'ico-[A-Za-z0-9]{32}',
  's-s4t2(?:ud|af)-[0-9a-f]{64}',
  '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk',
  'API-[A-Z0-9]{26}(?![A-Za-z0-9])',
  'sha256~[\\w-]{43}',
  'pnu_[A-Za-z0-9]{36}',
  'rdme_[a-z0-9]{70}',
  'tk-us-[\\w-]{48}',
  'xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}',
  'sm_(?:pat|aat|sat)_[A-Za-z0-9]{16}',
  'shippo_(?:live|test)_[0-9a-f]{40}',
  'sq[apu]_[0-9a-f]{40}',
  'AQVN[\\w-]{35,38}',
  'vercel_blob_rw_\\w{30,}',
  'xai-[A-Za-z0-9]{60,}',
  'bk(?:ua|ct|ca)_[a-z0-9]{40}',
  'CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}',
  '2[A-Za-z0-9]{26}_[A-Za-z0-9]{21}(?![A-Za-z0-9])',
  '[ps]k\\.eyJ[\\w-]{50,}\\.[\\w-]{16,}',
  'nf[copu]_[A-Za-z0-9]{36}',
  'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}',
  'ph[rsx]_[A-Za-z0-9]{40,}',
  'AVNS_[\\w-]{19}',
  'ess[pu]_[A-Za-z0-9=]{40,}',
  'dd[opw]_[A-Za-z0-9]{36}',
  'rootly_[0-9a-f]{64}',
  'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}',
  'VF\\.(?:DM|WS)\\.[0-9a-f]{24}\\.[A-Za-z0-9]{16}',
  'aio_[A-Za-z0-9]{26,}',
  'dnkey-[A-Z0-9=_-]{26}-[A-Z0-9=_-]{40,}',
  '[MNO][A-Za-z0-9_-]{17,27}\\.[\\w-]{6}\\.[\\w-]{27,40}',
  'sl\\.(?:u\\.)?[\\w=-]{100,}',
  'FLWPUBK(?:_TEST)?-[\\w-]{12,}',
  'eyJrIjoi[\\w+/=-]{40,}',
  'pat-(?:na|eu|ap)\\d-[0-9a-f]{8}-[0-9a-f-]{27}',
  '(?:sdk|mob|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  '(?:live|test)_(?:pub_)?[0-9a-f]{35}',
  'pubkey-[0-9a-f]{32}',
  '00(?=[\\w-]*[a-z])(?=[\\w-]*[A-Z])[\\w=-]{40}(?![\\w-])',
  'access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f-]{27}',
  '[a-z0-9]{8,12}msh[a-z0-9]{13,17}p1[a-z0-9]{4,8}jsn[a-z0-9]{10,14}',
  'oauth:[a-z0-9]{30}',
  'A{18,22}[A-Za-z0-9]{4,40}%(?:2B|2F|3D)[A-Za-z0-9%]{30,}',
  's\\.(?![A-Za-z0-9]*[a-z]{7})(?=[A-Za-z]*\\d)(?=[a-z0-9]*[A-Z])(?=[A-Z0-9]*[a-z])[A-Za-z0-9]{24}(?![\\w.-])',
  't1\\.[\\w-]{10,}={0,2}\\.[\\w-]{60,}={0,2}',
  'YC(?=[A-Za-z_-]*\\d)[\\w-]{38}(?![\\w-])',
  'EAAA[\\w+=-]{40,}',
  'xoxe\\.xox[bp]-\\d-[\\w-]{40,}',
  'sk-or-v1-[0-9a-f]{40,}',
  'tvly-(?:dev-)?[A-Za-z0-9]{20,}',
  'csk-[a-z0-9]{40,}',
  'jina_[A-Za-z0-9]{40,}',
  'sk_[0-9a-f]{40,}',
  're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}',
  'cal_(?:live|test)_[0-9a-f]{30,}',
  'tr_(?:dev|prod|stg)_[A-Za-z0-9]{20,}',
  'pk_[0-9a-f]{34}',
  'wh(?:sk|sec)_[\\w+/=-]{20,}',
  'sb_secret_[\\w-]{20,}',
  'npg_[A-Za-z0-9]{10,}',
  'rnd_[A-Za-z0-9]{28,}',
  'hcloud_[A-Za-z0-9]{40,}',
  'exo[A-Za-z0-9]{2}[0-9a-f]{26,}|EXO[0-9a-f]{24,}',
  'hc[abi][ek]?k_[a-z0-9]{50,}',
  'gAAAAA[\\w-]{60,}={0,2}',
  'oy2[a-z0-9]{43}',
  'BBDC-[A-Za-z0-9@+/=-]{40,}',
  'sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}|sgd_[0-9a-f]{64}',
  'snyk_(?:sat|uat)\\.[\\w.-]{20,}',
  'waka_[0-9a-f]{8}-[0-9a-f-]{27}',
  'phc_[A-Za-z0-9]{40,}',
  'ABSK[A-Za-z0-9+/=]{100,}|bedrock-api-key-[\\w+/=-]{20,}',
  'amzn\\.mws\\.[0-9a-f]{8}-[0-9a-f-]{27}',
  'access_token\\$production\\$[0-9a-z]{16}\\$[0-9a-f]{32}',
  'PT(?:LA|LC)_[A-Za-z0-9]{43}|ptl[ac]_[A-Za-z0-9]{43}|ptr_[A-Za-z0-9+/=]{40,}',
  'napi_[a-z0-9]{40,}',
  'signkey-(?:prod|test|branch)-[0-9a-f]{30,}',
  'pa-(?=[A-Za-z_-]*\\d)[A-Za-z0-9_-]{43}(?![\\w-])',
  'fw_(?=[A-Za-z]*\\d)[A-Za-z0-9]{22,24}(?![\\w-])',
  '(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[\\w+/=]{20,}',
  'SCW(?=[A-Z]*\\d)[A-Z0-9]{17}(?!\\w)',
  'reft[A-Za-z0-9]{60}',
  'xaat-[0-9a-f]{8}-[0-9a-f-]{27}',
  '00D[A-Za-z0-9]{12,15}![\\w.]{60,}',
  // JSON web tokens, signed or encrypted.
  'eyJ[\\w-]{8,}\\.(?:eyJ[\\w-]{8,}|[\\w-]*)\\.[\\w-]{8,}(?:\\.[\\w-]+){0,2}',
  'eyJ[\\w-]{20,}\\.[\\w-]{20,}',
  'HEX:[\\da-fA-F]{32,}',
  // Base64 of a private key, which may be cut off.
  'LS0tLS1CRUdJTi(?:BQUklWQVRF|BSU0EgUFJJVkFURSBL|BFQyBQUklWQVRF|BPUEVOU1NIIFBSSVZB|BFTkNSWVBURUQgUFJJ|BEU0EgUFJJVkFURS|BQR1AgUFJJVkFURS)[\\w+/=]*',
  '\\d{15,16}[|%][\\w-]{27,40}',
  // Password hashes of crypt(3) and htpasswd.
  '\\$(?:2[abxy]|apr1|argon2(?:id|i|d)|scrypt|pbkdf2-sha\\d+|[156y])\\$[\\w./$,=+-]{12,}',
  '\\{S?SHA(?:256|512)?\\}[\\w+/=]{20,}',
  'md5[0-9a-f]{32}(?![0-9a-f])',
  'SCRAM-SHA-256\\$\\d+:[\\w+/=]+\\$[\\w+/=]+:[\\w+/=]+',
];
const PREFIXED_TOKEN = new RegExp(`(?<![\\w-])(?:${PREFIXED.join('|')})`, 'g');
/** A secret key of AWS, which has no shape of its own, soon after the id of its key. */
const AWS_PAIR = /((?:AKIA|ASIA)[A-Z0-9]{16}[\s\S]{1,80}?(?<![A-Za-z0-9+]))([A-Za-z0-9+/]{40})(?![\w+/=])/g;
/** One pass over the text that finds out whether any of the above can be in it. */
const MAY_HAVE_SHAPE =
  /-----BEGIN|Private-Lines|eyJ|aio_|dnkey-|[\w-]\.[\w-]{6}\.[\w-]{27}|sl\.|FLWPUBK|pat-|(?:sdk|mob|api)-|(?:live|test)_|pubkey-|\b00[\w=-]{40}|access-[sdp]|msh[a-z0-9]{13,17}p1|oauth:|A{18}|\bs\.[A-Za-z0-9]{24}|t1\.|\bYC[\w-]{38}|tvly-|csk-|jina_|re_|cal_|tr_|wh[s][ek]|sb_secret|npg_|rnd_|hcloud_|exo|EXO|hc[abi]|gAAAAA|oy2|BBDC-|sg[dp]_|snyk_|waka_|phc_|ABSK|bedrock-api|amzn\.mws|production\$|PTL|ptl[ac]_|ptr_|napi_|signkey-|\bpa-|fw_|FwoGZ|IQoJb|SCW|reft|xaat-|00D[A-Za-z0-9]{12,15}!|AKID|[ps]k\.eyJ|pk_|sk_|pub[0-9a-f]{32}|A3T|AKIA|ASIA|ABIA|ACCA|AIza|ya29|GOCSPX|1\/\/0|LTAI|_v1_|8Q~|HRKU|fo1_|fm[12]|v1\.0-|gh[opsur]_|github_pat_|gl\w{2,5}-|GR13|AT[ABC]\w|npm_|pypi-|rubygems_|dckr_|AKCp|cio|[rsp]k_|whsec_|rzp_|sq0|FLWSECK|shp\w\w_|SG\.|key-|-us\d|SK[0-9a-f]|xox|xapp-|\d:A|NR\w\w-|glsa_|glc_|sntry|dt0|figd_|lin_api|ntn_|secret_|PMAK|tfp_|hv[sbr]\.|atlasv1|tskey|pul-|dapi|dp\.|pscale_|sbp_|CFPAT|AGE-SECRET|ops_|nvapi|EZ[AT]K|sk-|hf_|r8_|gsk_|pplx-|A3-|p8e-|cmVmd|AP6|acc[_-]|4b1d|CLOJARS|duffel_|EAA|fio-u|[ps]at\.|api_org|ico-|s4t2|_mmk|API-|sha256~|pnu_|rdme_|tk-us|xkeysib|sm_[aps]at|shippo_|sq[apu]_|AQVN|vercel_blob|xai-|bk[uc][act]_|CCIPAT|2[A-Za-z0-9]{26}_|nf[copu]_|pat[A-Za-z0-9]{14}\.|ph[rsx]_|AVNS_|ess[pu]_|dd[opw]_|rootly_|lsv2_|VF\.|\$(?:2|apr1|argon2|scrypt|pbkdf2|[156y]\$)|\d{15}[|%]|HEX:|LS0tLS1CRUdJTi|\{S?SHA|md5[0-9a-f]|SCRAM-/;
/** The secret part of addresses that are secrets as a whole. */
const WEBHOOK =
  /((?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|[\w-]+\.webhook\.office\.com\/webhookb2|hooks\.zapier\.com\/hooks\/catch|collection\.(?:[\w-]+\.)?sumologic\.com\/receiver\/v1\/http|api\.telegram\.org\/bot)\/?)([\w@:/.+-]{8,}={0,2})/g;

/** Replaces secrets that their shape gives away. */
export function hideShapes(text: string, hide: (secret: string) => string): string {
  let result = text;
  if (MAY_HAVE_SHAPE.test(text))
    result = result
      .replace(AWS_PAIR, (all, before: string, secret: string) =>
        /\d/.test(secret) && /[A-Z].*[A-Z]/.test(secret) && /[a-z].*[a-z]/.test(secret)
          ? `${before}${hide(secret)}`
          : all,
      )
      .replace(PRIVATE_KEY, key => (MARKER.test(key) ? key : hide(key)))
      .replace(STATIC_KEY, hide)
      .replace(PUTTY_KEY, hide)
      .replace(PREFIXED_TOKEN, hide);
  if (/hook|telegram|sumologic/.test(result))
    result = result.replace(WEBHOOK, (_, address: string, secret: string) => `${address}${hide(secret)}`);
  return result;
}
