/* A shared object that is no engine at all. */
int not_an_engine(void);
int not_an_engine(void)
{
    return 0;
}
