// Prints the manual page; run once by the build.
#include "app/manual.h"

#include <iostream>

int main()
{
    std::cout << keyaxis::manualPage().toStdString();
    return std::cout.flush() ? 0 : 1;
}
