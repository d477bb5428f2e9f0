/**
 * Products that vendors sell under their own name, in the format described in aliases.ts. A name that consists of
 * vendor and service means the service.
 */
export const SERVICES = `
AWS KMS | kms, amazon kms, aws key management service | client-kms awssdk.keymanagementservice
AWS Secrets Manager | secrets manager, amazon secrets manager | client-secrets-manager
SSM Parameter Store | parameter store, aws parameter store, aws ssm parameter store, aws systems manager parameter store, aws ssm | client-ssm
Step Functions | aws step functions, amazon step functions, aws states | client-sfn aws_sfn_state_machine stepfunctions-local
AWS Batch | amazon batch | client-batch
RDS | amazon rds, aws rds, amazon relational database service, aws db instance, amazon rds for postgresql, amazon rds for mysql | client-rds aws_rds_cluster client-rds-data
Aurora | ~Aurora, amazon aurora, aws aurora, aurora serverless | aurora-postgresql aurora-mysql
ElastiCache | amazon elasticache, aws elasticache, amazon elasticache for redis, elasticache for redis | client-elasticache
MemoryDB | amazon memorydb, aws memorydb, amazon memorydb for redis | client-memorydb
DocumentDB | amazon documentdb, aws documentdb, aws docdb | client-docdb
Neptune | ~Neptune, amazon neptune, aws neptune | client-neptune
MSK | amazon msk, aws msk, amazon managed streaming for apache kafka, amazon managed streaming for kafka | client-kafka
Amazon MQ | aws mq, aws amazonmq | client-mq
SES | ~SES, amazon ses, aws ses, simple email service | client-ses client-sesv2
AWS API Gateway | amazon api gateway | client-api-gateway client-apigatewayv2 aws_apigatewayv2_api
AppSync | aws appsync | client-appsync
Amplify | ~Amplify, aws amplify |
Elastic Beanstalk | aws elastic beanstalk, aws elasticbeanstalk | awsebcli client-elastic-beanstalk
EC2 | amazon ec2, aws ec2, elastic compute cloud, aws instance | client-ec2
EKS | amazon eks, aws eks, elastic kubernetes service | client-eks eksctl aws_eks_cluster
ECR | amazon ecr, aws ecr, elastic container registry | client-ecr aws_ecr_repository
App Runner | aws app runner | client-apprunner
CloudFront | amazon cloudfront, aws cloudfront | client-cloudfront
Route 53 | amazon route 53, aws route 53 | client-route-53
Athena | ~Athena, amazon athena, aws athena | client-athena pyathena
AWS Glue | amazon glue | client-glue awsglue
Amazon EMR | aws emr, elastic mapreduce | client-emr
SageMaker | amazon sagemaker, aws sagemaker | client-sagemaker
CloudWatch Logs | amazon cloudwatch logs, aws cloudwatch logs, aws cloudwatch log, aws logs | client-cloudwatch-logs winston-cloudwatch aws_cloudwatch_log_group
AWS X-Ray | x-ray, amazon x-ray | aws-xray-sdk aws-xray-sdk-core client-xray
CodeBuild | aws codebuild | client-codebuild
CodePipeline | aws codepipeline | client-codepipeline
CodeDeploy | aws codedeploy | client-codedeploy
CodeArtifact | aws codeartifact | client-codeartifact
AWS SAM | aws serverless application model, serverless application model, aws serverless | aws-sam-cli samconfig
Event Hubs | azure event hubs, azure event hub, microsoft event hub | azurerm_eventhub azurerm_eventhub_namespace azure.messaging.eventhubs
Azure Event Grid | microsoft event grid | azurerm_eventgrid_topic azure.messaging.eventgrid
Azure Queue Storage | azure storage queue | azurerm_storage_queue azure.storage.queues
Azure Blob Storage | azure blob, azure storage blob | microsoft.storage/storageaccounts/blobservices azurerm_storage_blob azurerm_storage_container azure.storage.blobs azurite
Azure Key Vault | key vault, microsoft key vault | azurerm_key_vault azure.security.keyvault.secrets
Cosmos DB | azure cosmos db, azure cosmos, microsoft cosmos db | azurerm_cosmosdb_account microsoft.azure.cosmos microsoft.documentdb
Azure Cache for Redis | azure redis cache, azure redis, microsoft cache redis | azurerm_redis_cache
AKS | azure kubernetes service, azure aks | azurerm_kubernetes_cluster microsoft.containerservice
Application Insights | azure application insights, app insights, azure app insights | microsoft.applicationinsights azurerm_application_insights azure-monitor-opentelemetry monitor-opentelemetry appinsights_instrumentationkey
Azure App Service | microsoft web sites | azurerm_app_service azurerm_linux_web_app
Azure Container Apps | container apps | azurerm_container_app
Azure Logic Apps | logic apps, azure logic app, microsoft logic | azurerm_logic_app_workflow
Azure DevOps | azure pipelines, azure repos | azure-pipelines
Entra ID | azure ad, azure active directory, microsoft entra id, microsoft entra, azure ad b2c | msal msal-node msal-browser azuread
Azure AI Search | azure cognitive search, azure search | azurerm_search_service
ARM templates | arm template, azure resource manager, azure resource manager templates, azure arm templates |
Bicep | ~Bicep, azure bicep |
Cloud KMS | google kms, google cloud kms, gcp kms |
Secret Manager | google secret manager, google cloud secret manager, gcp secret manager |
Cloud Tasks | google cloud tasks, gcp cloud tasks | google_cloud_tasks_queue
Google Cloud Scheduler | gcp cloud scheduler |
Google Cloud Build | gcp cloud build |
Cloud SQL | google cloud sql, gcp cloud sql, google cloud sql for postgresql, cloud sql for postgresql | google_sql_database_instance cloud-sql-proxy cloudsql
Spanner | ~Spanner, google spanner, cloud spanner, google cloud spanner, gcp spanner |
Bigtable | google bigtable, cloud bigtable, google cloud bigtable, gcp bigtable |
Memorystore | google memorystore, cloud memorystore, google cloud memorystore | google_redis_instance
GKE | google kubernetes engine, google gke | google_container_cluster
Vertex AI | google vertex ai, google cloud vertex ai | google-cloud-aiplatform aiplatform
Google Cloud Logging | stackdriver, gcp cloud logging |
Firebase Auth | firebase authentication, firebase admin auth | firebaseui
Firebase Cloud Messaging | fcm, firebase messaging, firebase admin messaging |
Firebase Realtime Database | firebase database, firebase rtdb, firebase admin database |
Firebase Hosting | |
Firebase Storage | cloud storage for firebase, firebase admin storage |
Crashlytics | firebase crashlytics |
Supabase Auth | | gotrue gotrue-js
Supabase Storage | |
Cloudflare KV | workers kv, cloudflare workers kv | kv_namespaces
Cloudflare R2 | r2 storage | r2_buckets
Cloudflare D1 | | d1_databases
Cloudflare Pages | | pages-action
Heroku Postgres | heroku postgresql |
Heroku Redis | heroku data for redis |
Heroku Kafka | apache kafka on heroku |
Vercel Postgres | |
Vercel KV | |
GitHub Packages | github package registry | npm.pkg.github.com
GitHub Pages | gh pages | actions-gh-pages actions/deploy-pages
GitHub Copilot | |
GitLab Pages | |
Docker Hub | |
MongoDB Atlas | | mongodbatlas_cluster mongodbatlas
Elastic APM | | apm-server elastic-apm-node elastic-apm-agent apm-rum
Elastic Cloud | elasticsearch service |
Spring Cloud Gateway | | spring-cloud-starter-gateway
Kafka Streams | apache kafka streams | kstreams org.apache.kafka.streams
Kafka Connect | apache kafka connect | cp-kafka-connect
Redis Streams | |
Serverless Framework | serverless.com | serverless-offline serverless-webpack serverless-esbuild serverless-http
Dynatrace | | oneagent dt_api_token
Rollbar | | rollbar_access_token
Bugsnag | |
Papertrail | |
Logtail | better stack, betterstack |
LogDNA | mezmo |
Logz.io | | logzio-nodejs
Sumo Logic | | sumologic
AppDynamics | app dynamics |
Honeybadger | |
Airbrake | | airbrake-js
PagerDuty | pager duty |
Opsgenie | |
Cloudinary | |
Postmark | ~Postmark |
Pusher | ~Pusher | pusher-js
Ably | ~Ably |
SonarQube | sonarcloud, sonar qube | sonar_token sonar_host_url sonar-scanner
Codecov | |
Snyk | |
Doppler | ~Doppler, doppler secrets | dopplerhq
Unleash | ~Unleash | unleash-client unleash-server unleashorg
Scout APM | | scout_apm
`

/**
 * Names before a service, each with the thing that the name alone stands for; empty if the table does not know that
 * thing. Names that host other vendors' products ("Heroku Postgres") are marked.
 */
export const VENDORS: ReadonlyMap<string, { readonly id: string; readonly isHost: boolean }> = new Map(
  `aws aws *
  amazon aws *
  azure azure *
  microsoftazure azure *
  microsoft
  googlecloud gcp *
  googlecloudplatform gcp *
  gcp gcp *
  google
  firebase firebase *
  supabase supabase *
  heroku heroku *
  cloudflare cloudflare *
  vercel vercel *
  netlify netlify *
  digitalocean digitalocean *
  aiven aiven *
  scaleway scaleway *
  oraclecloud oraclecloud *
  ibmcloud ibmcloud *
  alibabacloud alibabacloud *
  datadog datadog
  grafana
  elastic
  spring spring
  apache
  hashicorp
  atlassian
  github
  gitlab
  docker
  mongodb
  confluent
  jetbrains`
    .split('\n')
    .map((line) => {
      const [key = '', id = '', host = ''] = line.trim().split(' ')
      return [key, { id, isHost: host === '*' }]
    }),
)
