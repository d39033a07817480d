/** What the data folders of tests are called: then the pid of who made it, so that a later run knows what is left over. */
export const stackFolderPrefix = 'holdfast-stack-';
