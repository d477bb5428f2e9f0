/**
 * The names of files, as git matches them at any depth, whose history tells what was used when: manifests, files that
 * name a tool by being there, and files that pin versions. Ours alone: git reads them as patterns.
 */
export const MANIFEST_NAMES: readonly string[] = [
  ...'package.json deno.json deno.jsonc composer.json requirements*.txt requirements*.in pyproject.toml Pipfile setup.py setup.cfg'.split(
    ' ',
  ),
  ...'environment.yml environment.yaml Cargo.toml go.mod Gemfile *.gemspec pom.xml build.gradle build.gradle.kts libs.versions.toml'.split(
    ' ',
  ),
  ...'Directory.Packages.props packages.config *.csproj *.fsproj *.vbproj Chart.yaml mix.exs pubspec.yaml Package.swift'.split(
    ' ',
  ),
  ...'Dockerfile* Containerfile *compose*.yml *compose*.yaml .github/workflows/*.yml .github/workflows/*.yaml'.split(
    ' ',
  ),
  ...'Jenkinsfile .gitlab-ci.yml .circleci/** .travis.yml helmfile.y*ml kustomization.y*ml k8s/*.y*ml kubernetes/*.y*ml *.tf *.tfvars'.split(
    ' ',
  ),
  ...'Pulumi.y*ml ansible.cfg playbook/** playbooks/** serverless.y*ml Vagrantfile *.graphql *.graphqls *.gql *.proto *.prisma'.split(
    ' ',
  ),
  ...'jest.config.* cypress.config.* playwright.config.* .mocharc.* tailwind.config.* webpack.config.* next.config.* angular.json'.split(
    ' ',
  ),
  ...'.eslintrc .eslintrc.* eslint.config.* yarn.lock .yarnrc .yarnrc.yml pnpm-lock.yaml package-lock.json bun.lock bun.lockb poetry.lock'.split(
    ' ',
  ),
  ...'lerna.json nx.json BUILD.bazel MODULE.bazel'.split(' '),
  ...'.nvmrc .node-version .python-version .ruby-version .java-version .tool-versions mise.toml rust-toolchain rust-toolchain.toml global.json'.split(
    ' ',
  ),
]
