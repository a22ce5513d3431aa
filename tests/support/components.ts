import '../../src/base/web/theme.css';
