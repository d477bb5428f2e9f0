import type { FunctionUse } from './statement.ts'

/** Why a function may not be called, as the end of the sentence `name() …`; undefined when it may. */
export function refusedFunction(use: FunctionUse, dialect: string): string | undefined {
  const groups = REFUSED[dialect] ?? []
  const full = `${use.schema ?? ''}.${use.name}`
  return groups.find(({ pattern }) => pattern.test(use.name) || pattern.test(full))?.reason
}

interface Group {
  readonly reason: string
  readonly pattern: RegExp
}

/** Names separated by space, some with their schema; `*` stands for anything. */
function refuse(reason: string, names: string): Group {
  const alternatives = names.split(' ').map((name) => name.replaceAll(/[$.]/g, String.raw`\$&`).replaceAll('*', '.*'))
  return { reason, pattern: new RegExp(`^(${alternatives.join('|')})$`) }
}

const FILES = 'reads or writes files of the server'
const NETWORK = 'reaches the network'
const DATABASES = 'reaches another database'
const TEXT = 'runs SQL given as text, which cannot be checked'
const SERVER = 'controls the server or other sessions'
const STATE = 'changes state'
const WAITS = 'only holds the connection'
const SECRETS = 'reads secrets'

const POSTGRES: readonly Group[] = [
  refuse(
    FILES,
    'pg_read_* pg_ls_* pg_stat_file pg_file_* pg_current_logfile pg_logdir_ls pg_hba_file_rules pg_ident_file_mappings pg_show_all_file_settings',
  ),
  refuse(
    FILES,
    'lo_* loread lowrite file_fdw_* pg_get_wal_* pg_logical_slot_* pg_get_raw_page get_raw_page heap_page_items bt_page_items *_page_stats',
  ),
  refuse(NETWORK, 'http http_* net.* curl_* aws_lambda.* aws_s3.* table_import_from_s3 query_export_to_s3'),
  refuse(DATABASES, 'dblink dblink_* postgres_fdw_* run_command_on_* master_run_on_worker'),
  refuse(
    TEXT,
    'query_to_xml* cursor_to_xml* table_to_xml* schema_to_xml* database_to_xml* ts_stat ts_rewrite crosstab* connectby xpath_table',
  ),
  refuse(TEXT, 'plpgsql_inline_handler plv8_* cron.*'),
  refuse(
    SERVER,
    'pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_promote pg_switch_* pg_backup_* pg_start_backup pg_stop_backup',
  ),
  refuse(
    SERVER,
    'pg_create_* pg_drop_* pg_copy_* pg_replication_* pg_sync_* pg_wal_replay_* pg_xlog_* pg_log_* pg_import_* pg_export_snapshot pg_prewarm autoprewarm*',
  ),
  refuse(
    SERVER,
    'pg_stat_reset* pg_stat_clear_* pg_stat_force_* pg_stat_statements_reset pg_clear_*_stats pg_restore_*_stats pg_extension_config_dump pg_nextoid',
  ),
  refuse(
    SERVER,
    'binary_upgrade_* brin_summarize_* brin_desummarize_* gin_clean_pending_list pg_stop_making_* pg_logical_emit_message pg_truncate_* heap_force_*',
  ),
  refuse(STATE, 'nextval setval set_config pg_notify pg_advisory_* pg_try_advisory_* tsvector_update_trigger*'),
  refuse(WAITS, 'pg_sleep pg_sleep_for pg_sleep_until pg_isolation_test_*'),
]

const REFUSED: Readonly<Record<string, readonly Group[]>> = {
  postgres: POSTGRES,
  redshift: POSTGRES,
  duckdb: [
    refuse(
      FILES,
      'read_* *_scan arrow_scan_dumb seq_scan glob sniff_csv parquet_* st_read st_read_meta st_drivers load_* write_log truncate_duckdb_logs',
    ),
    refuse(NETWORK, 'http_* shellfs_*'),
    refuse(DATABASES, 'postgres_* mysql_* sqlite_* odbc_* bigquery_* snowflake_* mssql_* iceberg_* delta_* ducklake_* attach_*'),
    refuse(TEXT, 'query query_table json_execute_serialized_sql from_substrait* from_json_substrait get_substrait*'),
    refuse(SECRETS, 'which_secret duckdb_secrets getenv'),
    refuse(SERVER, 'checkpoint force_checkpoint enable_* disable_*'),
    refuse(STATE, 'nextval'),
    refuse(WAITS, 'sleep_ms'),
  ],
  sqlite: [
    refuse(
      FILES,
      'load_extension readfile writefile edit fsdir lsdir zipfile* sqlar_* fileio_* csv* fts3_tokenizer sqlite_dbpage sqlite_dbdata sqlite_log',
    ),
    refuse(NETWORK, 'http_*'),
    refuse(TEXT, 'eval'),
    refuse(SERVER, 'rtreecheck optimize'),
  ],
  mysql: [
    refuse(FILES, 'load_file gen_dictionary* audit_log_* load_rewrite_rules'),
    refuse(NETWORK, 'http_* mysql_http_*'),
    refuse(
      SERVER,
      'sys_exec sys_eval sys_get sys_set lib_mysqludf_* group_replication_* asynchronous_connection_* mysql_firewall_* keyring_* version_tokens_*',
    ),
    refuse(STATE, 'get_lock release_lock release_all_locks service_*_locks nextval setval'),
    refuse(
      WAITS,
      'sleep benchmark master_pos_wait source_pos_wait master_gtid_wait wait_for_executed_gtid_set wait_until_sql_thread_after_gtids',
    ),
  ],
  bigquery: [refuse(DATABASES, 'external_query'), refuse(NETWORK, 'http_*'), refuse(STATE, 'keys_new_keyset')],
  snowflake: [
    refuse(SERVER, 'system$*'),
    refuse(FILES, 'get_presigned_url build_scoped_file_url build_stage_file_url get_stage_location infer_schema directory to_file'),
    refuse(TEXT, 'result_scan'),
    refuse(STATE, 'nextval'),
  ],
  databricks: [
    refuse(FILES, 'read_files cloud_files read_kafka read_kinesis read_pubsub read_pulsar read_statestore read_state_metadata'),
    refuse(NETWORK, 'http_request ai_query ai_* vector_search'),
    refuse(DATABASES, 'remote_query'),
    refuse(SERVER, 'java_method reflect try_reflect'),
    refuse(SECRETS, 'secret try_secret list_secrets'),
  ],
  clickhouse: [
    refuse(FILES, 'file filecluster executable executablepool input hdfs hdfscluster'),
    refuse(NETWORK, 'url urlcluster s3* gcs azureblobstorage* deltalake* iceberg* hudi* paimon* cosn oss ytsaurus arrowflight'),
    refuse(DATABASES, 'remote remotesecure cluster clusterallreplicas mysql postgresql mongodb redis sqlite jdbc odbc'),
    refuse(TEXT, 'merge mergetreeindex mergetreeprojection loop viewifpermitted'),
    refuse(WAITS, 'sleep sleepeachrow'),
    refuse(SERVER, 'addresstoline* demangle catboostevaluate'),
  ],
  mssql: [
    refuse(FILES, 'openrowset fn_get_audit_file fn_xe_file_target_read_file fn_dump_dblog fn_dblog fn_trace_gettable'),
    refuse(DATABASES, 'openquery opendatasource'),
    refuse(SERVER, 'xp_* sp_*'),
  ],
  trino: [refuse(DATABASES, 'query raw_query'), refuse(NETWORK, 'http_*'), refuse(STATE, 'nextval')],
  athena: [refuse(DATABASES, 'query raw_query'), refuse(NETWORK, 'http_*')],
}
