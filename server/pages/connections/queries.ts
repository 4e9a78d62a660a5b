// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Returns the email address and user name of an account. */
export const findName = statement<{ user_id: number }, { email: string | null; username: string }>(
  'pages/connections/findName',
  ['user_id'],
  `select email, username from app_user where id = $1`,
)
