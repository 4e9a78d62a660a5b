/** Messages about shops on screens of several rooms. */
export const shopStateMessages = {
  'started.import': 'Import now',
  'started.extension': 'These need the browser extension. If you have it, sign in to it.',

  'downs.running': 'Ending “{title}” on {platform}…',
  'downs.turn_off': 'Turn off',

  'shop.connect': 'Connect',
  'shop.now_connected': '{platform} is connected',
  'shop.get_extension': 'Get extension',
  'shop.retrying': 'Retrying now.',
  'shop.retry_at': 'Retrying {when}',
  'shop.reconnect': 'Reconnect',
} as const
