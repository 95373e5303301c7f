// Every class of attack that was tried, what happens, and the tests that show it. docs/attacks.md is made from it.

export interface Attack {
  /** The line of part G of the findings that it answers. */
  finding?: string;
  tried: string;
  result: string;
  /** The test file to run. */
  file: string;
  /** Where the titles stand, if a suite of another file is run. */
  source?: string;
  /** Beginnings of test titles. */
  tests: string[];
}

const app = 'server/src/http/app.integration.test.ts';
const start = 'server/src/start/start.integration.test.ts';
const interrupted = 'server/src/start/interrupted-start.integration.test.ts';
const servers = 'server/test/servers.integration.test.ts';
const audits = 'server/test/reflector/audits.ts';
const freshness = 'server/src/session/freshness-monitor.integration.test.ts';
const sandboxEscape = 'server/src/engine/sandbox-escape.integration.test.ts';
const hostile = 'server/src/engine/hostile-formulas.integration.test.ts';
const programs = 'server/src/session/programs/programs.integration.test.ts';
const signIn = 'web/e2e/security/sign-in.spec.ts';

export const attacks: Record<string, Attack[]> = {
  Objects: [
    {
      finding: 'G 1',
      tried: 'A Pod nested 9,900 levels deep from the API server.',
      result: 'Withheld by name with the reason; returns when it changes. Main and the kind go on.',
      file: 'server/test/bad-objects.integration.test.ts',
      tests: ['an object 9,900 levels deep is set aside'],
    },
    {
      finding: 'G 1',
      tried:
        'Documents of attached programs, messages of programs and schemas of the server that are nested 50,000 levels deep.',
      result: 'The row, the message or the schema costs itself.',
      file: 'server/src/attach/krtz-document.test.ts',
      tests: ['an output that is nested deeper than the stack'],
    },
    {
      finding: 'G 1, G 10',
      tried:
        '10,000 generated objects: wrong types, null metadata, numbers as names, arrays as maps, huge depth.',
      result: 'Each costs itself. Main, the engine process and the kind go on.',
      file: 'server/test/bad-objects.integration.test.ts',
      tests: ['10,000 bad objects cost themselves'],
    },
    {
      finding: 'G 10',
      tried: 'An object with `metadata: null` in a list and in a watch.',
      result: 'Skipped and named; the kind stays synced.',
      file: servers,
      source: audits,
      tests: ['an object without metadata costs that object'],
    },
  ],
  Secrets: [
    {
      finding: 'G 2',
      tried: '3,200 secrets in the places and formats of clusters; 2,300 public texts beside them.',
      result: 'At least 98 % are hidden; at most 2 % of the public texts change.',
      file: 'server/src/redact/corpus.test.ts',
      tests: ['at least 98 %', 'at most 2 %'],
    },
    {
      finding: 'G 2',
      tried: 'A sample of each class of tokens that gitleaks, trufflehog and detect-secrets publish.',
      result: 'At least 98 % are hidden. docs/redaction.md says what is not promised.',
      file: 'server/src/redact/text/published-rules.test.ts',
      tests: ['of the classes that scanners publish'],
    },
    {
      finding: 'G 2',
      tried: 'Secrets in fields, texts and status messages of custom resources.',
      result: 'Found by shape and by name wherever the text stands.',
      file: 'server/src/redact/redactor.test.ts',
      tests: ['a secret in any field of a custom resource', 'a secret is found in'],
    },
  ],
  Clocks: [
    {
      finding: 'G 3',
      tried: 'The wall clock steps by an hour, back and forward, while requests come.',
      result: 'No request is refused, and no wrong token waits for an hour.',
      file: 'server/src/http/rate-limit.test.ts',
      tests: ['a clock that steps by', 'a clock that steps back'],
    },
    {
      finding: 'G 3',
      tried: 'The same while sources are watched.',
      result: 'No source counts as current until it has asked again; the timeline says why.',
      file: freshness,
      tests: ['a clock that steps by an hour'],
    },
    {
      finding: 'G 3',
      tried: 'SIGSTOP of main, and of main with its engine process, while the cluster goes on.',
      result: 'It says for how long it did not run, asks again and shows what it missed.',
      file: 'server/src/start/paused-process.integration.test.ts',
      tests: ['stopped ('],
    },
  ],
  'Lying proxies and servers': [
    {
      finding: 'G 4',
      tried: 'A proxy drops an event and keeps the watch alive.',
      result: 'Found by the count, the comparison or a retry; repaired and reported.',
      file: freshness,
      tests: ['an event that a proxy drops'],
    },
    {
      finding: 'G 4',
      tried: 'The same in the cache of a controller of `krtscope/runtime`.',
      result: 'The next comparison repairs and reports it; the controller gets the change.',
      file: 'server/test/controller-cache.integration.test.ts',
      tests: ['an event that a proxy drops'],
    },
    {
      finding: 'G 4',
      tried: 'Lost adds, updates and deletes on a real server behind a proxy.',
      result: 'Each is found, repaired and reported; a changing cluster causes no false report.',
      file: servers,
      source: audits,
      tests: ['find lost adds, updates and deletes', 'report nothing while objects change'],
    },
    {
      finding: 'G 5',
      tried: 'A false DELETED with the version of the next event; one version with two contents.',
      result: 'The next event is applied; the later content wins and is reported.',
      file: servers,
      source: audits,
      tests: ['a false DELETED', 'the same version with other content'],
    },
    {
      finding: 'G 4',
      tried: 'A list whose pages never end; objects of another kind in a list.',
      result:
        'The list is given up and tried again with growing waits. The foreign object is skipped and named.',
      file: servers,
      source: 'server/test/reflector/lies.ts',
      tests: ['an object of another kind in a list'],
    },
    {
      finding: 'G 4',
      tried: 'A proxy that ends every watch at once, for several kinds.',
      result: 'Each kind is asked less and less often. The kinds do not wake each other.',
      file: 'server/src/kube/informer/informer-factory.test.ts',
      tests: ['an informer whose watch was lost'],
    },
    {
      finding: 'G 10',
      tried: 'A redirect instead of a list.',
      result: 'The source says to which address it was redirected.',
      file: servers,
      source: audits,
      tests: ['a redirect is reported'],
    },
    {
      finding: 'G 7',
      tried: '300 API groups without aggregated discovery.',
      result: 'At most eight requests at a time, shared between askers.',
      file: 'server/src/kube/discovery/discovery.test.ts',
      tests: ['never sends more than eight', 'ten requests for fresh kinds'],
    },
    {
      finding: 'G 7',
      tried: 'A limit of 28 and 36 file descriptors.',
      result: 'One sentence that says what to raise, and exit code 1.',
      file: start,
      tests: ['with %d file descriptors'],
    },
  ],
  'Tokens, hosts, origins': [
    {
      finding: 'G 9',
      tried: 'Another web server on the same host, visited by the same browser.',
      result: 'It receives no cookie, no token and no stored value; its page gets nothing from krtscope.',
      file: signIn,
      tests: ['the token leaves the address'],
    },
    {
      finding: 'G 9',
      tried: 'The token as a cookie, as a subprotocol, in the address of a GET and of a DELETE.',
      result: 'A cookie opens nothing. Subprotocol, header and the address of a GET do.',
      file: app,
      tests: ['as a cookie opens nothing', 'as a subprotocol opens the stream', 'in an old link'],
    },
    {
      tried: 'Data paths without a token, in other spellings.',
      result: '401 in JSON, or not found.',
      file: app,
      tests: ['missing: everything with data is 401'],
    },
    {
      tried: 'DNS rebinding, foreign Origins, sockets of foreign pages.',
      result: '403 foreign-origin, also for health.',
      file: app,
      tests: ['its name pointed at this address', 'its page is refused', 'a socket %s is refused'],
    },
    {
      tried: 'Many wrong tokens side by side from one address.',
      result: 'Slowed down and not all looked at. The right token from elsewhere still works.',
      file: 'server/src/http/access-control.test.ts',
      tests: ['tokens that come side by side'],
    },
    {
      finding: 'G 10',
      tried: '/readyz without a token while the cluster is unreachable.',
      result: 'The state without any address.',
      file: start,
      tests: ['a cluster that does not answer'],
    },
    {
      finding: 'G 10',
      tried: 'Attaching to metadata addresses of six clouds, also as numbers and inside IPv6.',
      result:
        'Refused in words. Other internal addresses are reachable for holders of the token (docs/programs.md).',
      file: 'server/src/attach/metadata-address.test.ts',
      tests: ['%s is refused in words'],
    },
    {
      finding: 'G 10',
      tried:
        'Attaching to a name that resolves to a permitted address first and to a metadata address after it.',
      result: 'The address that was checked is the one that is asked; a later one is refused in words.',
      file: 'server/src/attach/krtz-request.test.ts',
      tests: ['the address that was checked', 'a name that has come to stand for a metadata address'],
    },
  ],
  'Recordings, sockets, names': [
    {
      tried: 'Crafted recordings: bombs, cycles, wrong counts, other versions.',
      result: 'Refused in words, or opened without harm.',
      file: 'server/src/engine/crafted-recording.integration.test.ts',
      tests: [],
    },
    {
      tried: 'Readers of the stream that stop reading.',
      result: 'Ended and asked for no more; one that reads stays.',
      file: 'server/src/stream/stopped-readers.integration.test.ts',
      tests: ['readers that stop are ended'],
    },
    {
      tried: 'Hostile and flooding programs on the socket of programs.',
      result: 'Refused in words; nothing else suffers.',
      file: programs,
      tests: [
        'what is hostile or wrong is refused',
        'only a bearer gets in',
        'a krtscope that stands still or floods',
      ],
    },
    {
      finding: 'G 10',
      tried: 'Names with characters that reverse the writing direction or are invisible.',
      result: 'Shown as \\u202e in the page and in the terminal.',
      file: 'web/e2e/security/hidden-characters.spec.ts',
      tests: ['characters that reverse the writing direction'],
    },
  ],
  'What if': [
    {
      tried:
        'Edits of 1 MB and more, 10,000 edits, violations of the schema, unknown keys, deep nesting, 40 users at once.',
      result: 'Refused in words or answered. The session does not notice.',
      file: 'server/src/session/what-if/hostile-edits.integration.test.ts',
      tests: [],
    },
    {
      tried: 'SIGKILL of the copy and of the engine process between two trials.',
      result: 'The next answer is right.',
      file: 'server/src/session/what-if/what-if.integration.test.ts',
      tests: ['two users at once'],
    },
    {
      tried: 'A YAML document of aliases of aliases.',
      result: 'Refused in words.',
      file: 'server/src/cli/manifest-files.test.ts',
      tests: ['aliases of aliases'],
    },
  ],
  'Formulas and the sandbox': [
    {
      tried: 'Reaching builtin modules, globals, signals and files from a formula.',
      result: 'None can be reached. Neither main nor the process can be ended.',
      file: sandboxEscape,
      tests: ['no builtin module can be had', 'what is left of globalThis', 'neither main nor itself'],
    },
    {
      tried: 'Endless loops, catastrophic expressions, huge results, stacks.',
      result: 'The formula fails or is quarantined; the graph goes on.',
      file: hostile,
      tests: [
        'no stack that a formula can read',
        'fails for that input alone',
        'two in turn end in two quarantines',
      ],
    },
  ],
  'Processes and disks': [
    {
      finding: 'G 6',
      tried: 'nohup under an old Node: the shell that started it ends.',
      result: 'krtscope goes on.',
      file: start,
      tests: ['under an old Node, as with nohup'],
    },
    {
      finding: 'G 6',
      tried:
        'setsid, a service of systemd (no terminal, hardly any environment, all stopped at once), a window of tmux.',
      result: 'krtscope goes on, and ends without a stack and without a process left.',
      file: 'server/src/start/process-managers.integration.test.ts',
      tests: ['under setsid', 'as a service of systemd', 'in tmux'],
    },
    {
      finding: 'G 8',
      tried: "SIGKILL of the demo's cluster process.",
      result: 'Started again with its seed, address and credentials.',
      file: start,
      tests: ['the demo cluster that dies'],
    },
    {
      finding: 'G 8',
      tried: 'The same while another process holds its port.',
      result: 'The page keeps its rows, says what happened and has a button that restarts the cluster.',
      file: 'web/e2e/security/demo-restart.spec.ts',
      tests: ['a demo cluster that is gone'],
    },
    {
      finding: 'G 6',
      tried: 'SIGKILL of every engine process as soon as it starts.',
      result: 'The page says how often it ended and why, and has a button that restarts it.',
      file: 'web/e2e/security/demo-restart.spec.ts',
      tests: ['an engine process that ends again and again'],
    },
    {
      finding: 'G 10',
      tried: 'Ctrl-C at three moments of the start of the demo.',
      result: 'No stack on stderr, no process left.',
      file: interrupted,
      tests: ['Ctrl-C %s'],
    },
    {
      finding: 'G 10',
      tried: 'Two demos on one data directory.',
      result: 'Each has a kubeconfig that leads to its own cluster.',
      file: interrupted,
      tests: ['two demos on one data directory'],
    },
    {
      finding: 'G 10',
      tried: 'No space in the middle of a write.',
      result: 'The old file stays, and no temporary file is left.',
      file: 'server/src/atomic-write.integration.test.ts',
      tests: ['without space for the text', 'a file that cannot be replaced'],
    },
    {
      finding: 'G 11',
      tried: 'Changes for hours in the embedded cluster.',
      result: 'Its log keeps five minutes; `npm run bench:soak` measures the memory of all processes.',
      file: 'server/src/cluster/storage/storage.test.ts',
      tests: ['the log forgets changes that are older'],
    },
  ],
};
