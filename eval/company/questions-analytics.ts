import type { Question } from './questions.ts'

/** Questions about the reports that dbt builds. */
export const ANALYTICS_QUESTIONS: readonly Question[] = [
  {
    text: 'What was gross revenue by month in 2025 according to the reporting tables?',
    needs: ['analytics.fct_orders(date_key revenue_eur order_status)', 'analytics.dim_date(date_key month_name year)'],
    facts: ['analytics.fct_orders.revenue_eur: gross', 'analytics.fct_orders.order_status: cancelled'],
    sql: "SELECT d.month_name, sum(f.revenue_eur) FROM analytics.fct_orders f JOIN analytics.dim_date d ON d.date_key = f.date_key WHERE d.year = 2025 AND f.order_status <> 'cancelled' GROUP BY 1",
  },
  {
    text: 'Which product categories earn the least margin?',
    needs: ['analytics.fct_order_lines(product_key margin_eur)', 'analytics.dim_product(product_key category_name)'],
    facts: ['analytics.fct_order_lines.margin_eur: EUR'],
    sql: 'SELECT p.category_name, sum(l.margin_eur) FROM analytics.fct_order_lines l JOIN analytics.dim_product p ON p.product_key = l.product_key GROUP BY 1 ORDER BY 2',
  },
  {
    text: 'How much recurring revenue did we lose to churn this year?',
    needs: ['analytics.fct_subscriptions_monthly(month mrr_eur movement)'],
    facts: ['analytics.fct_subscriptions_monthly.movement: churn', 'analytics.fct_subscriptions_monthly.mrr_eur: EUR'],
    sql: "SELECT sum(mrr_eur) FROM analytics.fct_subscriptions_monthly WHERE movement = 'churn' AND month >= '2026-01-01'",
  },
  {
    text: 'What share of deliveries is on time per carrier?',
    needs: ['analytics.fct_shipments(carrier days_late)'],
    facts: ['analytics.fct_shipments.days_late: early'],
    sql: 'SELECT carrier, avg(CASE WHEN days_late <= 0 THEN 1.0 ELSE 0 END) FROM analytics.fct_shipments GROUP BY carrier',
  },
  {
    text: 'How long do customers at risk take to pay?',
    needs: ['analytics.fct_payments(customer_key days_to_pay)', 'analytics.dim_customer(customer_key lifecycle)'],
    facts: ['analytics.dim_customer.lifecycle: at_risk'],
    sql: "SELECT avg(p.days_to_pay) FROM analytics.fct_payments p JOIN analytics.dim_customer c ON c.customer_key = p.customer_key WHERE c.lifecycle = 'at_risk'",
  },
  {
    text: 'How well did the Rose Sale campaigns do in revenue and opens?',
    needs: ['analytics.agg_campaign_performance(campaign_id open_rate revenue_eur)', 'crm.campaigns(id name)'],
    facts: ['analytics.agg_campaign_performance.open_rate: fraction'],
    sql: "SELECT c.name, a.open_rate, a.revenue_eur FROM analytics.agg_campaign_performance a JOIN crm.campaigns c ON c.id = a.campaign_id WHERE c.name LIKE 'Rose Sale%'",
  },
  {
    text: 'Which of our large stores in Bavaria had the most first-time buyers?',
    needs: ['analytics.fct_orders(store_key is_first_order)', 'analytics.dim_store(store_key region_name size_class)'],
    facts: ['analytics.dim_store.size_class: L', 'analytics.dim_store.region_name: Bavaria'],
    sql: "SELECT s.store_key, count(*) FROM analytics.fct_orders f JOIN analytics.dim_store s ON s.store_key = f.store_key WHERE f.is_first_order AND s.region_name = 'Bavaria' GROUP BY 1 ORDER BY 2 DESC",
  },
  {
    text: 'What is our stock worth in the Vienna warehouse at the end of the last day?',
    needs: ['analytics.fct_stock_daily(date_key warehouse_code value_eur)', 'logistics.warehouses(code city)'],
    facts: ['analytics.fct_stock_daily.value_eur: purchase prices', 'logistics.warehouses.city: Vienna'],
    sql: "SELECT f.date_key, sum(f.value_eur) FROM analytics.fct_stock_daily f JOIN logistics.warehouses w ON w.code = f.warehouse_code WHERE w.city = 'Vienna' GROUP BY 1 ORDER BY 1 DESC LIMIT 1",
  },
  {
    text: 'How often does the IT department miss the service level on tickets?',
    needs: ['analytics.fct_tickets(employee_key sla_met)', 'analytics.dim_employee(employee_key department_name)'],
    facts: ['analytics.dim_employee.department_name: IT'],
    sql: "SELECT avg(CASE WHEN t.sla_met THEN 0 ELSE 1.0 END) FROM analytics.fct_tickets t JOIN analytics.dim_employee e ON e.employee_key = t.employee_key WHERE e.department_name = 'IT'",
  },
  {
    text: 'Did any models fail in the nightly dbt build in June?',
    needs: ['analytics.dbt_run_results(model status run_at)'],
    facts: ['analytics.dbt_run_results.status: error'],
    sql: "SELECT model, run_at FROM analytics.dbt_run_results WHERE status = 'error' AND run_at >= '2026-06-01'",
  },
]
