import { expect, test } from 'vitest'
import { graphSource } from '../../../../test/sample-record.ts'
import { addedLines, type Changed } from './added-lines.ts'
import { fileKind } from './file-kind.ts'
import { judgeDiff } from './judge.ts'
import { packagesIn } from './manifest-packages.ts'

/** Why a change of one file reintroduces the only rejected alternative. */
function returnsOf(rejected: string, path: string, text: string, status: Changed['status'] = 'modified'): string[] {
  const record = graphSource([{ num: 5, title: 'Something else', rejected: [{ name: rejected, reason: 'No.' }] }])
  const file: Changed = {
    path,
    status,
    previousPath: undefined,
    removed: [],
    added: text.split('\n').map((line, i) => ({ line: i + 1, text: line })),
    packages: fileKind(path) === 'manifest' ? { before: [], after: packagesIn(path, text) } : undefined,
  }
  return judgeDiff({ files: [file], lines: addedLines([file]) }, record, []).map(({ reason }) => reason.split(':')[0]!)
}

const COMPOSE = (image: string): string => `services:\n  a:\n    image: ${image}\n`
const WORKFLOW = 'on: push\njobs:\n  a:\n    env:\n      DD_API_KEY: x\n    steps: []\n'

test.each([
  ['AWS KMS', '.env', 'AWS_KMS_KEY_ID=alias/x'],
  ['AWS KMS', 'stack.yaml', '    Type: AWS::KMS::Key'],
  ['AWS KMS', 'stack.json', '  "Key": { "Type": "AWS::KMS::Key" }'],
  ['AWS KMS', 'lib/stack.ts', "import * as kms from 'aws-cdk-lib/aws-kms'"],
  ['AWS KMS', 'lib/stack.py', 'from aws_cdk import aws_kms as kms, Stack'],
  ['AWS KMS', 'index.ts', "const key = new aws.kms.Key('columns')"],
  ['AWS KMS', 'crypto.py', 'client = boto3.client("kms")'],
  ['AWS KMS', 'go.mod', 'module x\n\nrequire github.com/aws/aws-sdk-go-v2/service/kms v1.0.0\n'],
  ['Azure Data Factory', 'main.tf', 'resource "azurerm_data_factory" "x" {'],
  ['Azure Data Factory', 'main.json', '{ "type": "Microsoft.DataFactory/factories" }'],
  ['AWS Lambda', 'serverless.yml', '  name: aws'],
  ['AWS SAM', 'template.yaml', 'Transform: AWS::Serverless-2016-10-31'],
  ['CloudFormation', 'network.yaml', "AWSTemplateFormatVersion: '2010-09-09'"],
  ['Heroku', 'app.json', '{ "buildpacks": [{ "url": "heroku/nodejs" }] }'],
  ['RabbitMQ', 'app.json', '{ "addons": ["cloudamqp:lemur"] }'],
  ['New Relic', 'heroku.yml', 'setup:\n  addons:\n    - plan: newrelic:wayne\n'],
  ['Datadog', 'compose.yaml', COMPOSE('gcr.io/datadoghq/agent:7')],
  ['Datadog', 'deploy.yaml', '        - name: DD_AGENT_HOST'],
  ['Datadog', '.github/workflows/a.yml', WORKFLOW],
  ['Datadog', 'Dockerfile', 'FROM node:24\nENV DD_API_KEY=x\n'],
  ['Datadog', 'src/trace.ts', 'init({ key: process.env.DD_API_KEY })'],
  ['AWS', 'main.tf', 'resource "aws_sqs_queue" "jobs" {'],
])('%s is reintroduced in %s: %s', (rejected, path, text) => expect(returnsOf(rejected, path, text)).toHaveLength(1))

test.each([
  ['AWS KMS', '.env', 'AWS_REGION=eu-west-1'],
  ['AWS KMS', 'package.json', '{ "dependencies": { "@aws-sdk/client-s3": "3" } }'],
  ['AWS KMS', 'package.json', '{ "dependencies": { "@google-cloud/kms": "4" } }'],
  ['Azure Service Bus', 'package.json', '{ "dependencies": { "@azure/identity": "4" } }'],
  ['Firebase Auth', 'src/a.ts', "import { getFirestore } from 'firebase/firestore'"],
  ['Elastic APM', 'compose.yaml', COMPOSE('docker.elastic.co/elasticsearch/elasticsearch:8.14.0')],
  ['Apache Kafka Streams', 'package.json', '{ "dependencies": { "kafkajs": "2" } }'],
  ['HashiCorp Vault', 'main.tf', '    aws = { source = "hashicorp/aws" }'],
  ['Heroku Postgres', 'package.json', '{ "dependencies": { "pg": "8" } }'],
  ['Heroku', 'app.json', '{ "expo": { "name": "shop" } }'],
  ['Heroku', 'data/hosts.json', '[{ "vendor": "Heroku" }]'],
  ['Datadog', '.env', 'DD_MM_FORMAT=1'],
])('%s is not reintroduced in %s: %s', (rejected, path, text) => expect(returnsOf(rejected, path, text)).toEqual([]))

test('the name or resources of a new file show which tool it belongs to', () => {
  expect(returnsOf('Heroku', 'Procfile', 'web: node server.js', 'added')).toEqual(['is a file of Heroku'])
  expect(returnsOf('CloudFormation', 'net.yaml', 'Resources:\n  Net:\n    Type: AWS::EC2::VPC', 'added')).toEqual([
    'is a file of CloudFormation',
  ])
})
