export { attempt } from './attempt';
