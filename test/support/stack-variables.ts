/** How jest's own process tells its workers where the shared stack is. */
export const stackVariables = {
  databaseUrl: 'HOLDFAST_TEST_DATABASE_URL',
  temporalAddress: 'HOLDFAST_TEST_TEMPORAL_ADDRESS',
  temporalUi: 'HOLDFAST_TEST_TEMPORAL_UI',
  /** Folder that goes with the jest run. */
  runFolder: 'HOLDFAST_TEST_RUN_FOLDER',
} as const;
