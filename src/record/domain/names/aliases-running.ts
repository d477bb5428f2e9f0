/** Databases, queues, caches, clouds and the services on them, in the form that aliases.ts describes. */
export const RUNNING = `
Redis | redis server, remote dictionary server | ioredis iovalkey node-redis redis-py aioredis go-redis redigo rueidis jedis lettuce lettuce-core redisson predis phpredis stackexchange.redis freeredis redix eredis hiredis connect-redis redlock redis-stack redis-sentinel redis-cluster bull bullmq bee-queue sidekiq resque rq django-rq upstash kombu-redis herokuredis azurecacheforredis rediscloud redistogo openredis redisstreams
Valkey | | valkey-glide iovalkey
KeyDB | |
Memcached | memcache | memjs pymemcache pylibmc python-memcached dalli spymemcached xmemcached enyimmemcachedcore gomemcache bmemcached memcachier memcachedcloud
Hazelcast | | hazelcast-client hazelcast-python-client
Dragonfly | DragonflyDB |
MongoDB | mongo, mongo db | mongoose pymongo motor mongoengine beanie mgo mongo-driver mongojs mongoid moped mongodb-driver-sync mongodb-driver mongodb.driver mongod mongosh mongo-express typegoose papr monk spring-data-mongodb reactivemongo documentdb cosmosdb-mongo mongolab ormongo mongodbatlas
PostgreSQL | postgres, postgre, pgsql, psql | ~pg postgres.js pg-promise pg-native pg-pool psycopg psycopg2 psycopg2-binary psycopg3 asyncpg pgx lib/pq pq npgsql postgrex tokio-postgres rust-postgres pgvector pgbouncer timescaledb postgis aurora-postgresql pgtyped slonik pg8000 aiopg ruby-pg r2dbc-postgresql ext-pgsql herokupostgres vercelpostgres pghost pguser pgpassword pgdatabase
MySQL | my sql | mysql2 mysqlclient pymysql aiomysql mysql-connector mysql-connector-java mysql-connector-j mysql-connector-python go-sql-driver mysql_async mysqlconnector mysql.data pomelo.entityframeworkcore.mysql aurora-mysql planetscale ext-mysqli cleardb jawsdb
MariaDB | maria db | mariadb-java-client mariadb-connector
SQLite | sqlite3, sqllite | better-sqlite3 rusqlite libsqlite3-sys go-sqlite3 sqlite-jdbc aiosqlite microsoft.data.sqlite sql.js node:sqlite sqflite turso libsql
SQL Server | mssql, ms sql, microsoft sql server, azure sql | tedious pymssql pyodbc mssql-jdbc microsoft.data.sqlclient system.data.sqlclient go-mssqldb tiberius
Oracle Database | oracle db, oracledb, ~Oracle | oracledb cx_oracle ojdbc8 ojdbc11 ojdbc godror node-oracledb oracle-xe oracle-free
DynamoDB | dynamo db, aws dynamodb, amazon dynamodb, dynamo | dynamoose pynamodb client-dynamodb lib-dynamodb aws_dynamodb_table dynamodb-local electrodb
Cassandra | apache cassandra | cassandra-driver gocql datastax java-driver-core scylla-driver astra-db
ScyllaDB | scylla |
CouchDB | couch db | nano couchdb-python couchbeam pouchdb
Couchbase | | gocb couchbase-client
Firestore | cloud firestore, firebase firestore | google-cloud-firestore
Firebase | | firebase-admin firebase-tools firebase-functions pyrebase angularfire react-native-firebase firestore
Supabase | | supabase-js supabase-py
Neo4j | neo 4j | neo4j-driver py2neo neomodel spring-data-neo4j neogma
ArangoDB | arango | arangojs python-arango
CockroachDB | cockroach db, cockroach, crdb | sqlalchemy-cockroachdb
TiDB | |
YugabyteDB | yugabyte |
Elasticsearch | elastic search, elk, elk stack, elastic | elasticsearch-py elasticsearch-dsl elasticsearch-js go-elasticsearch searchkick elastic/go-elasticsearch spring-data-elasticsearch elasticsearch-rails elastic.clients.elasticsearch kibana logstash searchbox foundelasticsearch elasticcloud
OpenSearch | open search | opensearch-py opensearch-js
Solr | apache solr | pysolr solrj sunspot
Lucene | apache lucene | lucene-core lucene.net
Meilisearch | meili search, meili | meilisearch-python meilisearch-js
Typesense | | typesense-js
Algolia | | algoliasearch react-instantsearch instantsearch.js
ClickHouse | click house | clickhouse-client clickhouse-driver clickhouse-connect clickhouse-go clickhouse-jdbc
DuckDB | duck db | duckdb-node node-duckdb duckdb-rs
Snowflake | | snowflake-sdk snowflake-connector-python snowflake-sqlalchemy gosnowflake snowflake-jdbc
BigQuery | big query | google-cloud-bigquery pandas-gbq
Redshift | amazon redshift, aws redshift | redshift-connector redshift_connector
InfluxDB | influx db, influx | influxdb-client influxdb-python telegraf
TimescaleDB | timescale |
Pinecone | | pinecone-client
Weaviate | | weaviate-client weaviate-ts-client
Qdrant | | qdrant-client
Milvus | | pymilvus
ChromaDB | chroma db | chromadb-client
SurrealDB | |
FaunaDB | fauna |
RethinkDB | |
etcd | | etcd3 clientv3
ZooKeeper | zoo keeper, apache zookeeper | kazoo curator-framework node-zookeeper-client
Kafka | apache kafka | kafkajs node-rdkafka rdkafka librdkafka confluent-kafka confluent-kafka-go kafka-python aiokafka sarama kafka-go segmentio/kafka-go franz-go spring-kafka kafka-clients ruby-kafka karafka kafka-streams confluent confluentinc msk amazon-msk aws_msk_cluster cp-kafka debezium faust herokukafka cloudkarafka kafkastreams kafkaconnect
Redpanda | red panda |
RabbitMQ | rabbit mq, rabbit | amqplib amqp-connection-manager pika aio-pika amqp091-go streadway/amqp bunny php-amqplib rabbitmq.client masstransit.rabbitmq lapin spring-rabbit spring-boot-starter-amqp rascal cloudamqp
ActiveMQ | active mq, apache activemq, artemis mq | spring-boot-starter-activemq stompit
ZeroMQ | zero mq, 0mq, zmq | pyzmq zeromq.js jeromq netmq
NATS | nats.io, nats jetstream | nats.go nats-py nats.ws nats-server stan.go
Pulsar | apache pulsar | pulsar-client
SQS | amazon sqs, aws sqs, simple queue service | client-sqs sqs-consumer aws_sqs_queue shoryuken awssdk.sqs bbc/sqs-consumer elasticmq
SNS | amazon sns, aws sns, simple notification service | client-sns aws_sns_topic awssdk.simplenotificationservice
Kinesis | amazon kinesis, aws kinesis | client-kinesis aws_kinesis_stream
EventBridge | event bridge, amazon eventbridge, aws eventbridge, aws events | client-eventbridge aws_cloudwatch_event_bus
Pub/Sub | google pubsub, google pub/sub, cloud pubsub, cloud pub/sub, google cloud pub/sub, gcp pub/sub | google-cloud-pubsub google_pubsub_topic
Service Bus | azure service bus, microsoft service bus | azure-servicebus azure.messaging.servicebus azurerm_servicebus_queue
MQTT | mosquitto | paho-mqtt mqtt.js eclipse-mosquitto hivemq aedes gmqtt emqx
Celery | | django-celery-beat django-celery flower celerybeat
BullMQ | bull mq | 
Bull | ~Bull | ~bull
Sidekiq | | sidekiq-cron sidekiq-scheduler
Resque | |
Temporal | ~Temporal, temporal.io | temporalio go.temporal.io temporal-sdk
Airflow | apache airflow | apache-airflow
Dagster | |
Prefect | ~Prefect | ~prefect
Hangfire | | hangfire.core
Quartz | ~Quartz | quartz-scheduler ~quartz
message queue | message queues, mq, message broker, message brokers, message bus, message-queue, nachrichtenwarteschlange, file de messages, cola de mensajes | rabbitmq kafka activemq sqs zeromq nats pulsar redpanda servicebus amqp
Kubernetes | k8s, kube, kubernetes cluster | kubectl kubeadm minikube eks gke aks k3s kind-cluster kustomize helm helmfile client-go kubernetes-client fabric8 kubernetes-asyncio kube-rs openshift aws_eks_cluster google_container_cluster azurerm_kubernetes_cluster argocd argo-cd skaffold
k3s | |
Helm | ~Helm, helm chart, helm charts | helmfile helm-diff
Docker | docker engine | dockerode docker-py docker-compose dockerfile testcontainers
Docker Swarm | swarm mode | docker-swarm
Docker Compose | docker-compose, compose file |
Podman | | podman-compose
Nomad | ~Nomad, hashicorp nomad | nomad-pack
Mesos | apache mesos |
OpenShift | open shift |
ECS | amazon ecs, aws ecs, elastic container service | aws_ecs_service aws_ecs_cluster
Fargate | aws fargate |
Cloud Run | google cloud run, gcp cloud run | google_cloud_run_service google_cloud_run_v2_service
App Engine | google app engine, gae, google cloud app engine, gcp app engine |
Heroku | | heroku-cli
Vercel | | vercel-cli
Netlify | | netlify-cli
Fly.io | flyio | flyctl
Cloudflare Workers | cf workers | wrangler miniflare workers-types
Lambda | ~Lambda, aws lambda, amazon lambda | aws-lambda aws_lambda_function aws-lambda-go aws-lambda-java-core amazon.lambda.core mangum serverless-http lambda_function awssam
serverless | serverless functions, faas, functions as a service | serverless-framework lambda awslambda cloudfunctions azurefunctions cloudflareworkers awssam serverlessframework
Cloud Functions | google cloud functions, gcp cloud functions | functions-framework google_cloudfunctions_function
Azure Functions | | azurerm_function_app azurerm_linux_function_app azurerm_windows_function_app azure-functions microsoft.azure.functions.worker
AWS | amazon web services | aws-sdk boto3 botocore aws-cdk localstack
Azure | microsoft azure | azurerm azure-identity
GCP | google cloud, google cloud platform | google-cloud google_application_credentials
Terraform | tf, hashicorp terraform | terraform-provider cdktf terragrunt opentofu
OpenTofu | tofu, open tofu |
Pulumi | |
CloudFormation | cloud formation, aws cloudformation | troposphere cfn-lint awssam awstemplateformatversion
AWS CDK | cdk, cloud development kit | aws-cdk-lib aws-cdk
Ansible | | ansible-playbook ansible-core
Chef | ~Chef | chef-client
Puppet | ~Puppet | puppetlabs
SaltStack | salt stack |
Vagrant | ~Vagrant | vagrantfile
Packer | ~Packer, hashicorp packer |
infrastructure as code | iac, infrastructure-as-code | terraform pulumi cloudformation awscdk opentofu
Istio | | istioctl
Linkerd | |
Envoy | ~Envoy, envoy proxy | envoyproxy
service mesh | service-mesh | istio linkerd consulconnect
Consul | hashicorp consul, ~Consul | consul-api node-consul python-consul
Vault | ~Vault, hashicorp vault | node-vault hvac spring-vault vault-client
nginx | engine x | nginx-ingress ingress-nginx openresty
Apache httpd | apache http server, apache2 | mod_php
HAProxy | ha proxy |
Traefik | |
Caddy | ~Caddy | caddyserver
Kong | ~Kong, kong gateway |
S3 | amazon s3, aws s3, simple storage service | client-s3 s3fs aws_s3_bucket s3transfer multer-s3 awssdk.s3 aws-sdk-s3
MinIO | min.io | minio-go minio-py minio-js
Cloud Storage | google cloud storage, gcs, gcp storage | google-cloud-storage google_storage_bucket fake-gcs-server
`
