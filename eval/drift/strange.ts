import type { DriftRepository, Made } from './repository.ts'

/** Returns `count` lines of text, different for each word. */
const prose = (word: string, count: number, shape: (word: string, i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${shape(word, i)}\n`).join('')

const php: DriftRepository = {
  name: 'PHP (Composer)',
  commits: [
    {
      day: '2025-06-01',
      files: {
        'composer.json':
          '{\n    "name": "acme/portal",\n    "require": {\n        "php": "^8.3",\n        "symfony/framework-bundle": "^7.0",\n        "doctrine/orm": "^3.0",\n        "monolog/monolog": "^3.5",\n        "guzzlehttp/guzzle": "^7.8"\n    },\n    "require-dev": {\n        "phpunit/phpunit": "^11.0"\n    }\n}\n',
        'src/Controller/Home.php':
          '<?php\nnamespace App\\Controller;\nuse Doctrine\\ORM\\EntityManager;\nclass Home {}\n',
        'src/Pricing/Calculator.php': `<?php\n${prose('price', 26, (w, i) => `function ${w}${i}(int $x): int { return $x + ${i}; }`)}`,
        'templates/base.html.twig': prose('block', 15, (w, i) => `<div class="${w}-${i}">{{ ${w}${i} }}</div>`),
        'config/services.yaml': 'services:\n  _defaults:\n    autowire: true\n',
      },
    },
    {
      day: '2025-11-20',
      files: {
        'composer.json':
          '{\n    "name": "acme/portal",\n    "require": {\n        "php": "^8.2",\n        "laravel/framework": "^11.0",\n        "illuminate/database": "^11.0",\n        "monolog/monolog": "^3.7",\n        "symfony/http-client": "^7.1"\n    },\n    "require-dev": {\n        "pestphp/pest": "^2.0"\n    }\n}\n',
        'src/Controller/Home.php': '<?php\nnamespace App\\Controller;\nclass Home {}\n',
        'src/Pricing/Calculator.php': `<?php\n\n// Prices, in cents.\n${prose('price', 26, (w, i) => `function ${w}${i}(int $x): int\n{\n    return $x + ${i};\n}\n`)}`,
        'templates/base.html.twig': null,
        'composer.lock': '{ "packages": [ { "name": "propel/propel" } ] }\n',
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: '2025-07-01',
      title: 'Choose Symfony over Laravel',
      rejected: [{ name: 'Laravel', reason: 'Too much magic for our taste.' }],
      wanted: 'replaced',
      why: 'laravel/framework came, symfony is a client only',
    },
    {
      num: 3,
      date: '2025-07-01',
      title: 'Persistence with Doctrine',
      rejected: [{ name: 'Eloquent', reason: 'Active record couples tables and rules.' }],
      wanted: 'replaced',
      why: 'illuminate/database is Eloquent',
    },
    { num: 4, date: '2025-07-01', title: 'PHP 8.3', wanted: 'pin_broken', why: 'composer.json says 8.2' },
    { num: 5, date: '2025-07-01', title: 'Unit tests with PHPUnit', wanted: 'chosen_gone', why: 'pest took its place' },
    {
      num: 6,
      date: '2025-07-01',
      title: 'Pages are Twig templates',
      files_affected: ['templates/'],
      wanted: 'files_gone',
      why: 'the folder is gone',
    },
    {
      num: 7,
      date: '2025-07-01',
      title: 'The calculator is pure',
      files_affected: ['src/Pricing/*.php'],
      wanted: 'quiet',
      why: 'braces on their own lines',
    },
    { num: 8, date: '2025-07-01', title: 'Monolog for logging', wanted: 'quiet', why: 'bumped' },
    {
      num: 9,
      date: '2025-07-01',
      title: 'Services are wired in config/services.yaml',
      rejected: [{ name: 'Propel', reason: 'Nobody maintains it.' }],
      wanted: 'quiet',
      why: 'only in the lock file; the file is there',
    },
  ],
}

const dotnet: DriftRepository = {
  name: '.NET',
  commits: [
    {
      day: '2025-02-03',
      files: {
        'src/Api/Api.csproj':
          '<Project Sdk="Microsoft.NET.Sdk.Web">\n  <PropertyGroup>\n    <TargetFramework>net8.0</TargetFramework>\n  </PropertyGroup>\n  <ItemGroup>\n    <PackageReference Include="Dapper" Version="2.1.35" />\n    <PackageReference Include="Serilog.AspNetCore" Version="8.0.1" />\n    <PackageReference Include="FluentValidation" Version="11.9.0" />\n  </ItemGroup>\n</Project>\n',
        'src/Api/Program.cs': 'using Dapper;\nusing Serilog;\nvar app = 1;\n',
        'src/Domain/Order.cs': prose('Rule', 30, (w, i) => `public decimal ${w}${i}(decimal x) => x * ${i}m;`),
        'tests/Api.Tests/Api.Tests.csproj':
          '<Project>\n  <ItemGroup>\n    <PackageReference Include="xunit" Version="2.7.0" />\n  </ItemGroup>\n</Project>\n',
      },
    },
    { day: '2025-05-01', renames: [['src/Domain/Order.cs', 'src/Ordering/Domain/Order.cs']] },
    {
      day: '2025-09-09',
      files: {
        'src/Api/Api.csproj':
          '<Project Sdk="Microsoft.NET.Sdk.Web">\n  <PropertyGroup>\n    <TargetFramework>net8.0</TargetFramework>\n  </PropertyGroup>\n  <ItemGroup>\n    <PackageReference Include="Microsoft.EntityFrameworkCore" Version="8.0.4" />\n    <PackageReference Include="Serilog.AspNetCore" Version="8.0.1" />\n  </ItemGroup>\n</Project>\n',
        'src/Api/Program.cs':
          'using Microsoft.EntityFrameworkCore;\nusing Serilog;\n// NLog was fine too\nvar app = 1;\n',
        'src/Validation/Validation.csproj':
          '<Project>\n  <ItemGroup>\n    <PackageReference Include="FluentValidation" Version="11.9.0" />\n  </ItemGroup>\n</Project>\n',
        'src/Ordering/Domain/Order.cs':
          prose('Rule', 30, (w, i) => `public decimal ${w}${i}(decimal x) => x * ${i}m;`) +
          prose('More', 30, (w, i) => `public int ${w}${i} => ${i};`),
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: '2025-03-01',
      title: 'Data access by Dapper',
      rejected: [{ name: 'Entity Framework Core', reason: 'Queries nobody can read.' }],
      wanted: 'replaced',
      why: 'EF for Dapper',
    },
    { num: 3, date: '2025-03-01', title: 'Target .NET 8', wanted: 'quiet', why: 'unchanged' },
    {
      num: 4,
      date: '2025-03-01',
      title: 'Serilog writes the logs',
      rejected: [{ name: 'NLog', reason: 'XML configuration.' }],
      wanted: 'quiet',
      why: 'a comment',
    },
    {
      num: 5,
      date: '2025-03-01',
      title: 'FluentValidation at the boundary',
      wanted: 'quiet',
      why: 'moved to another project',
    },
    {
      num: 6,
      date: '2025-03-01',
      title: 'Orders hold their own rules',
      files_affected: ['src/Domain/Order.cs'],
      wanted: 'quiet',
      why: 'moved, and grew',
    },
    {
      num: 7,
      date: '2025-03-01',
      title: 'Tests in xUnit',
      rejected: [{ name: 'NUnit', reason: 'Shared state between tests.' }],
      wanted: 'quiet',
      why: 'still there',
    },
  ],
}

const flutter: DriftRepository = {
  name: 'app (Flutter)',
  commits: [
    {
      day: '2025-01-15',
      files: {
        'pubspec.yaml':
          'name: app\ndependencies:\n  flutter:\n    sdk: flutter\n  riverpod: ^2.5.0\n  dio: ^5.4.0\n  hive: ^2.2.3\n',
        'lib/main.dart': "import 'package:riverpod/riverpod.dart';\nimport 'package:dio/dio.dart';\nvoid main() {}\n",
        'lib/storage/box.dart': prose('box', 22, (w, i) => `final ${w}${i} = open('${w}', ${i});`),
        'analysis_options.yaml': 'include: package:lints/recommended.yaml\n',
      },
    },
    {
      day: '2025-08-02',
      files: {
        'pubspec.yaml':
          'name: app\ndependencies:\n  flutter:\n    sdk: flutter\n  flutter_bloc: ^8.1.0\n  dio: ^5.5.0\n  sqflite: ^2.3.0\n',
        'lib/main.dart':
          "import 'package:flutter_bloc/flutter_bloc.dart';\nimport 'package:dio/dio.dart';\nvoid main() {}\n",
        'lib/storage/box.dart': prose('table', 25, (w, i) => `final ${w}${i} = await db.query('${w}', limit: ${i});`),
        'analysis_options.yaml': null,
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: '2025-02-01',
      title: 'State lives in Riverpod providers',
      rejected: [{ name: 'flutter_bloc', reason: 'Boilerplate for every event.' }],
      wanted: 'replaced',
      why: 'bloc for riverpod',
    },
    { num: 3, date: '2025-02-01', title: 'Keep offline data in Hive', wanted: 'chosen_gone', why: 'sqflite now' },
    {
      num: 4,
      date: '2025-02-01',
      title: 'Boxes are opened lazily',
      files_affected: ['lib/storage/box.dart'],
      wanted: 'changed_much',
      why: 'rewritten',
    },
    {
      num: 5,
      date: '2025-02-01',
      title: 'Lint rules are the recommended ones',
      rationale: 'The set in analysis_options.yaml is what the team agreed on.',
      wanted: 'named_file_gone',
      why: 'deleted',
    },
    { num: 6, date: '2025-02-01', title: 'Dio is the HTTP client', wanted: 'quiet', why: 'bumped' },
    { num: 7, date: '2025-02-01', title: 'Push messages through Firebase', wanted: 'quiet', why: 'never was here' },
  ],
}

const gradle: Made = {
  day: '2025-03-10',
  files: {
    'build.gradle.kts':
      'plugins { kotlin("jvm") }\ndependencies {\n    implementation("io.ktor:ktor-server-core:2.3.9")\n    implementation("org.jetbrains.exposed:exposed-core:0.48.0")\n    testImplementation("io.kotest:kotest-runner-junit5:5.8.0")\n}\njava { toolchain { languageVersion = JavaLanguageVersion.of(17) } }\n',
    'src/main/kotlin/Main.kt': 'import io.ktor.server.engine.embeddedServer\nfun main() {}\n',
    'deploy/values.yaml': 'replicas: 2\n',
    'deploy/Chart.yaml': 'apiVersion: v2\nname: svc\n',
    'schema/V1__init.sql': prose(
      't',
      20,
      (w, i) => `create table ${w}${i} (id bigint primary key, amount_${i} numeric);`,
    ),
    'schema/V2__more.sql': prose('m', 20, (w, i) => `create table ${w}${i} (id bigint primary key, note_${i} text);`),
  },
}
const kotlin: DriftRepository = {
  name: 'service (Gradle, Helm)',
  commits: [
    gradle,
    {
      day: '2025-10-10',
      renames: [
        ['schema/V1__init.sql', 'db/migrations/V1__init.sql'],
        ['schema/V2__more.sql', 'db/migrations/V2__more.sql'],
      ],
      files: {
        'build.gradle.kts':
          'plugins { kotlin("jvm") }\ndependencies {\n    implementation("io.ktor:ktor-server-netty:2.3.12")\n    implementation("org.hibernate.orm:hibernate-core:6.5.0")\n    testImplementation("io.kotest:kotest-runner-junit5:5.9.0")\n}\njava { toolchain { languageVersion = JavaLanguageVersion.of(21) } }\n',
        'deploy/values.yaml': null,
        'deploy/Chart.yaml': null,
        'serverless.yml': 'service: svc\nprovider:\n  name: aws\n',
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: '2025-04-01',
      title: 'We standardise on Ktor',
      rejected: [{ name: 'Spring Boot', reason: 'Annotations.' }],
      wanted: 'quiet',
      why: 'another module of Ktor',
    },
    {
      num: 3,
      date: '2025-04-01',
      title: 'Exposed instead of Hibernate',
      rejected: [{ name: 'Hibernate', reason: 'Sessions leak.' }],
      wanted: 'replaced',
      why: 'hibernate for exposed',
    },
    { num: 4, date: '2025-04-01', title: 'Compile for Java 17', wanted: 'pin_broken', why: '21 now' },
    {
      num: 5,
      date: '2025-04-01',
      title: 'Ship it with Helm',
      rejected: [{ name: 'Serverless framework', reason: 'Cold starts.' }],
      wanted: 'replaced',
      why: 'the chart is gone, and serverless.yml, which was rejected, came',
    },
    {
      num: 6,
      date: '2025-04-01',
      title: 'Migrations only go forward',
      files_affected: ['schema/**'],
      wanted: 'quiet',
      why: 'the folder was renamed',
    },
    { num: 7, date: '2025-04-01', title: 'Kotest for specifications', wanted: 'quiet', why: 'bumped' },
  ],
}

const science: DriftRepository = {
  name: 'models (requirements, conda, notebooks)',
  commits: [
    {
      day: '2025-01-01',
      files: {
        'requirements.txt': 'numpy==1.26.4\npolars==0.20.10\ntorch==2.2.1\nmlflow==2.11.0\n',
        'requirements-dev.txt': 'pytest\nblack\n',
        'train/model.py': `import torch\nimport polars as pl\n${prose('layer', 20, (w, i) => `${w}_${i} = torch.nn.Linear(${i + 1}, ${i + 2})`)}`,
        'notebooks/eda.ipynb': '{"cells": []}\n',
        'train/features.py': prose('feature', 24, (w, i) => `def ${w}_${i}(df):\n    return df["c${i}"] + ${i}`),
      },
    },
    {
      day: '2025-06-06',
      files: {
        'requirements.txt': 'numpy==2.0.0\npandas==2.2.2\ntorch==2.3.0\nwandb==0.17\n',
        'requirements-dev.txt': 'pytest\nruff\n',
        'train/model.py': `import torch\nimport pandas as pd\n${prose('layer', 20, (w, i) => `${w}_${i} = torch.nn.Linear(${i + 1}, ${i + 2})`)}`,
        'notebooks/eda.ipynb': '{"cells": [{"source": "import tensorflow as tf"}]}\n',
        'train/features.py': `from train.columns import *\n${prose('feature', 4, (w, i) => `def ${w}_${i}(df):\n    return df["c${i}"] + ${i}`)}`,
        'train/columns.py': Array.from(
          { length: 20 },
          (_, i) => `def feature_${i + 4}(df):\n    return df["c${i + 4}"] + ${i + 4}\n`,
        ).join(''),
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: '2025-01-20',
      title: 'Dataframes are Polars',
      rejected: [{ name: 'pandas', reason: 'Memory.' }],
      wanted: 'replaced',
      why: 'pandas for polars',
    },
    {
      num: 3,
      date: '2025-01-20',
      title: 'Track experiments in MLflow',
      rejected: [{ name: 'Weights & Biases (wandb)', reason: 'Data leaves the house.' }],
      wanted: 'replaced',
      why: 'wandb for mlflow',
    },
    {
      num: 4,
      date: '2025-01-20',
      title: 'PyTorch, not TensorFlow',
      rejected: [{ name: 'TensorFlow', reason: 'Static graphs.' }],
      wanted: 'quiet',
      why: 'a notebook mentions it',
    },
    { num: 5, date: '2025-01-20', title: 'NumPy 1.26', wanted: 'pin_broken', why: '2.0 now' },
    {
      num: 6,
      date: '2025-01-20',
      title: 'Black formats the code',
      rejected: [{ name: 'yapf', reason: 'Knobs.' }],
      wanted: 'chosen_gone',
      why: 'ruff took its place',
    },
    {
      num: 7,
      date: '2025-01-20',
      title: 'Features are functions of a frame',
      files_affected: ['train/features.py'],
      wanted: 'quiet',
      why: 'most moved to a neighbour',
    },
    { num: 8, date: '2025-01-20', title: 'pytest runs everything', wanted: 'quiet', why: 'still there' },
  ],
}

const elixir: DriftRepository = {
  name: 'chat (Elixir, Swift, Deno)',
  commits: [
    {
      day: '2025-04-04',
      files: {
        'mix.exs':
          'defmodule Chat.MixProject do\n  defp deps do\n    [\n      {:phoenix, "~> 1.7"},\n      {:oban, "~> 2.17"},\n      {:jason, "~> 1.4"}\n    ]\n  end\nend\n',
        'lib/chat/room.ex': prose('room', 30, (w, i) => `  def ${w}_${i}(state), do: Map.put(state, :k${i}, ${i})`),
        'ios/Package.swift':
          'let package = Package(dependencies: [\n  .package(url: "https://github.com/Alamofire/Alamofire.git", from: "5.9.0"),\n])\n',
        'tools/deno.json': '{ "imports": { "cliffy": "jsr:@cliffy/command@1.0.0" } }\n',
      },
    },
    {
      day: '2025-12-01',
      files: {
        'mix.exs':
          'defmodule Chat.MixProject do\n  defp deps do\n    [\n      {:phoenix, "~> 1.7"},\n      {:exq, "~> 0.19"},\n      {:jason, "~> 1.4"}\n    ]\n  end\nend\n',
        'lib/chat/room.ex': prose('channel', 33, (w, i) => `  def ${w}_${i}(socket), do: push(socket, "k${i}", ${i})`),
        'ios/Package.swift':
          'let package = Package(dependencies: [\n  .package(url: "https://github.com/Moya/Moya.git", from: "15.0.0"),\n])\n',
        'lib/chat/presence.ex': '# Poison was considered here\ndefmodule Presence do\nend\n',
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: '2025-05-01',
      title: 'Background work on Oban',
      rejected: [{ name: 'Exq', reason: 'Redis again.' }],
      wanted: 'replaced',
      why: 'exq for oban',
    },
    {
      num: 3,
      date: '2025-05-01',
      title: 'Rooms are processes',
      files_affected: ['lib/chat/room.ex'],
      wanted: 'changed_much',
      why: 'rewritten',
    },
    { num: 4, date: '2025-05-01', title: 'Alamofire on iOS', wanted: 'chosen_gone', why: 'Moya now' },
    {
      num: 5,
      date: '2025-05-01',
      title: 'Jason encodes JSON',
      rejected: [{ name: 'Poison', reason: 'Slower.' }],
      wanted: 'quiet',
      why: 'a comment',
    },
    { num: 6, date: '2025-05-01', title: 'Phoenix channels carry messages', wanted: 'quiet', why: 'still there' },
    {
      num: 7,
      date: '2025-05-01',
      title: 'Moderation is done by people',
      wanted: 'quiet',
      why: 'nothing to do with code',
    },
    {
      num: 8,
      date: '2025-05-01',
      title: 'Cliffy parses arguments of our scripts',
      wanted: 'quiet',
      why: 'still there',
    },
  ],
}

/** Cases written after the rules, as another author would write them: other ecosystems, names and wordings. */
export const STRANGE: readonly DriftRepository[] = [php, dotnet, flutter, kotlin, science, elixir]
