// krtscope completion: the script that makes a shell complete commands, flags, collections and keys.
import {UsageError} from '../../usage-error.ts';
import type {TerminalCommand} from '../command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

export const completionCommand: TerminalCommand = {
  usage: ['completion bash|zsh|fish'],
  about: `Prints a script for your shell. It completes commands and flags, and asks the running instance for the names of
collections, rows, namespaces and sessions. kubectl completes "kubectl krtscope" by itself if kubectl_complete-krtscope is in
the PATH; npm install --global puts it there.`,
  examples: [
    ['krtscope completion bash', 'for ~/.bashrc: source <(krtscope completion bash)'],
    ['krtscope completion zsh', 'for ~/.zshrc, after compinit: source <(krtscope completion zsh)'],
    ['krtscope completion fish', 'krtscope completion fish > ~/.config/fish/completions/krtscope.fish'],
  ],
  flags: {},
  words: ['shell'],
  run: async line => {
    const [shell, ...others] = line.words;
    if (!shells.includes(shell as Shell) || others.length > 0)
      throw new UsageError('usage: krtscope completion bash|zsh|fish');
    process.stdout.write(scripts[shell as Shell]);
  },
};

// A candidate is a line `word<TAB>description`. A word that ends with = or / takes no space after it.
const scripts: Record<Shell, string> = {
  bash: `_krtscope() {
  local cur words candidates line
  words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # Bash splits words at = and :. Join them again, as krtscope reads them.
  local joined=() word previous=""
  for word in "\${words[@]}"; do
    if [[ \${#joined[@]} -gt 0 && ( "$word" == [=:] || "$previous" == [=:] ) ]]; then joined[-1]+="$word"
    else joined+=("$word"); fi
    previous="$word"
  done
  cur="\${joined[-1]}"
  candidates=()
  while IFS=$'\\t' read -r line _; do [[ -n "$line" ]] && candidates+=("$line"); done < <(krtscope __complete "\${joined[@]}" 2>/dev/null)
  [[ \${#candidates[@]} -eq 1 && "\${candidates[0]}" == *[=/] ]] && compopt -o nospace
  local prefix=""
  [[ "$cur" == *[=:]* ]] && prefix="\${cur%"\${cur##*[=:]}"}"
  COMPREPLY=()
  for line in "\${candidates[@]}"; do COMPREPLY+=("\${line#"$prefix"}"); done
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then compopt -o default; fi
}
complete -F _krtscope krtscope
`,
  zsh: `#compdef krtscope
_krtscope() {
  local -a plain open
  local word about
  while IFS=$'\\t' read -r word about; do
    [[ -z "$word" ]] && continue
    if [[ "$word" == *[=/] ]]; then open+=("$word"); else plain+=("\${word//:/\\\\:}\${about:+:$about}"); fi
  done < <(krtscope __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#plain} + \${#open} == 0 )); then _files; return; fi
  (( \${#open} )) && compadd -S '' -- $open
  (( \${#plain} )) && _describe 'krtscope' plain
}
compdef _krtscope krtscope
`,
  fish: `function __krtscope_complete
  set -l words (commandline -opc) (commandline -ct)
  krtscope __complete $words[2..-1] 2>/dev/null
end
complete -c krtscope -f -a '(__krtscope_complete)'
`,
};
