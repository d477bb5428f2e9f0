import { expect, test } from 'vitest'
import { readCommand } from './read-command.ts'

test.each<[string, string[]]>([
  ['npm install zod', ['zod']],
  ['npm i -D vitest@3 @types/node@22', ['vitest', '@types/node']],
  ['cd web && pnpm add --filter app react-hook-form', ['react-hook-form']],
  ['yarn add "left-pad@^1.3.0" # pinned', ['left-pad']],
  ['pip install "fastapi[all]>=0.110" -r requirements.txt', ['fastapi']],
  ['python3 -m pip install httpx==0.27', ['httpx']],
  ['uv pip install ruff', ['ruff']],
  ['uv add --group dev pytest', ['pytest']],
  ['cargo add serde --features derive', ['serde']],
  ['go get github.com/alecthomas/kong@v1.2.1', ['github.com/alecthomas/kong']],
  ['bundle add sidekiq', ['sidekiq']],
  ['composer require monolog/monolog', ['monolog/monolog']],
  ['dotnet add src/Api package Serilog', ['Serilog']],
  ['NODE_ENV=dev npm install --save-exact zod && npm test', ['zod']],
  ['npm install', []],
  ['npm ci', []],
  ['npm install -g npm-check', []],
  ['npm install ./local-package', []],
  ['cargo install ripgrep', []],
  ['echo "npm install zod"', []],
  ['git commit -m "npm install zod"', []],
  ['npx expo install expo-av', ['expo-av']],
])('%s adds %j', (line, added) => {
  expect(readCommand(line).added).toEqual(added)
})

test('returns removed packages', () => {
  expect(readCommand('npm uninstall moment').removed).toEqual(['moment'])
  expect(readCommand('poetry remove requests').removed).toEqual(['requests'])
  expect(readCommand('go get github.com/pkg/errors@none')).toMatchObject({
    added: [],
    removed: ['github.com/pkg/errors'],
  })
})

test.each<[string, string | undefined]>([
  ['git commit -m "Round cents half up"', 'Round cents half up'],
  ["git add -A && git commit -am 'fix: count pears once' && git push", 'fix: count pears once'],
  [`git commit -m "$(cat <<'EOF' fix: count pears once … )" && git push`, 'fix: count pears once'],
  ['git -C api commit --message="Add a health check"', 'Add a health check'],
  ['git commit --amend --no-edit', ''],
  ['git commit --dry-run', undefined],
  ['git log --grep commit', undefined],
  ['echo git commit -m x', undefined],
])('the commit of %s is %j', (line, commit) => {
  expect(readCommand(line).commit).toBe(commit)
})

test.each<[string, string | undefined]>([
  ['npm test -- --run', 'npm test'],
  ['npx vitest run src/x.test.ts', 'npx vitest'],
  ['cd api && pytest -q tests/test_x.py', 'pytest'],
  ['uv run pytest', 'uv run pytest'],
  ['cargo test -q', 'cargo test'],
  ['./mvnw -q test -Dtest=ClaimsApiTest', './mvnw -q test'],
  ['go test ./...', 'go test'],
  ['bin/rails test', 'bin/rails test'],
  ['make check', 'make check'],
  ['npm run build', undefined],
  ['cat test.txt', undefined],
])('the test runner of %s is %j', (line, tests) => {
  expect(readCommand(line).tests).toBe(tests)
})
