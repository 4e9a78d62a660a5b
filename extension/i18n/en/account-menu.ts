/** Messages that the web app shows before it fetches the account screen. */
export const accountMenuMessages = {
  title: 'Account',
  sign_out: 'Sign out',
} as const
